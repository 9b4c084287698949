import { Failure, type Wei, wei } from '@heirloom/core'
import type { Kysely } from 'kysely'
import type { Database, LaneId } from '../../../store/schema.ts'
import { replaceSpent, spentOn, writeSpent } from '../../../store/spending.ts'
import { type Charge, chargeBudgets } from './key-budgets.ts'

/** The most that may be spent, in wei; an absent limit does not bound. */
export type SpendLimits = { readonly perCall?: Wei | undefined; readonly perDay?: Wei | undefined }

/** The amount that counted for a day when the leader wrote it last; the store may have another one. */
export type LastSpent = { last?: { readonly day: number; readonly spent: bigint } | undefined }

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
    /** Spares a read while it is what the store has. */
    readonly memory?: LastSpent | undefined
  },
): Promise<void> {
  const { before, after, limits } = entry
  if (!(await addToKnown(trx, entry))) {
    const spent = await spentOn(trx, entry)
    const sum = spent + after - before
    requireDayLimit(limits, { spent, sum })
    await writeSpent(trx, entry, sum)
    if (entry.memory) entry.memory.last = { day: entry.day, spent: sum }
  }
  await chargeBudgets(trx, { ...entry, limited: limits !== undefined })
}

type Entry = Parameters<typeof spend>[1]

/** Adds to the amount that the leader knows; returns false where the store has another, or it is refused. */
async function addToKnown(trx: Kysely<Database>, entry: Entry): Promise<boolean> {
  const { before, after, day, memory, limits: { perDay } = {} } = entry
  if (memory?.last?.day !== day) return false
  const { spent } = memory.last
  const sum = spent + after - before
  if (perDay !== undefined && after > before && sum > perDay) return false
  if (!(await replaceSpent(trx, entry, { before: spent, after: sum }))) return false
  memory.last = { day, spent: sum }
  return true
}

function requireDayLimit(
  limits: SpendLimits | undefined,
  { spent, sum }: { readonly spent: bigint; readonly sum: bigint },
): void {
  const limit = limits?.perDay
  if (limit === undefined || sum <= spent || sum <= limit) return
  throw new Failure('wallet/day-limit', { needed: wei(sum - spent), spent: wei(spent), limit })
}
