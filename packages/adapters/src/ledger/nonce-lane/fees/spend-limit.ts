import { Failure, type Wei, wei } from '@heirloom/core'
import type { Kysely } from 'kysely'
import type { Database, LaneId } from '../../../store/schema.ts'
import { spentOn, writeSpent } from '../../../store/spending.ts'
import { type Charge, chargeBudgets } from './key-budgets.ts'

/** The most that may be spent, in wei; an absent limit does not bound. */
export type SpendLimits = { readonly perCall?: Wei | undefined; readonly perDay?: Wei | undefined }

const millisecondsPerDay = 86_400_000

/** Returns the day (UTC) of an instant, in days since 1970. */
export const dayOf = (now: number): number => Math.floor(now / millisecondsPerDay)

/**
 * Requires that `share`, the cost of one job of a transaction, is within the call limit.
 *
 * @throws `wallet/call-limit`
 */
export function requireCallLimit({ perCall }: SpendLimits, share: bigint): void {
  if (perCall !== undefined && share > perCall) {
    throw new Failure('wallet/call-limit', { needed: wei(share), limit: perCall })
  }
}

/**
 * Changes a transaction's cost from `before` to `after` in the spending of the day and of the
 * budgets of its jobs.
 *
 * @throws `wallet/day-limit`, `api-key/day-limit`
 */
export async function spend(
  trx: Kysely<Database>,
  entry: {
    readonly lane: LaneId
    readonly day: number
    /** The jobs that share the cost. */
    readonly rows: Charge['rows']
    readonly before: bigint
    readonly after: bigint
    /** The limits that apply; no limit applies when absent. */
    readonly limits?: SpendLimits | undefined
  },
): Promise<void> {
  const { before, after, limits } = entry
  const change = after - before
  const perDay = limits?.perDay
  const spent = await spentOn(trx, entry)
  if (perDay !== undefined && change > 0n && spent + change > perDay) {
    const facts = { needed: wei(change), spent: wei(spent), limit: perDay }
    throw new Failure('wallet/day-limit', facts)
  }
  await writeSpent(trx, entry, spent + change)
  await chargeBudgets(trx, { ...entry, limited: limits !== undefined })
}
