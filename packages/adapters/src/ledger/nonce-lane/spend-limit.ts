import { Failure, type Wei, wei } from '@heirloom/core'
import type { Kysely } from 'kysely'
import { type Charge, chargeBudgets } from './key-budgets.ts'
import type { Database, LaneId } from '../../job-store/schema.ts'

/** How much may be spent, in wei; without a limit, anything. */
export type Limits = { readonly perCall?: Wei | undefined; readonly perDay?: Wei | undefined }

const millisecondsPerDay = 86_400_000

/** Returns the day (UTC) of an instant, in days since 1970. */
export const dayOf = (now: number): number => Math.floor(now / millisecondsPerDay)

/** Refuses a call that may cost more than one call may; `share` is its part of a transaction. */
export function refuseDearCall({ perCall }: Limits, share: bigint): void {
  if (perCall !== undefined && share > perCall) {
    throw new Failure('wallet/call-limit', { needed: wei(share), limit: perCall })
  }
}

/** Returns what a day's budget has lost, to what was paid and to what may still be. */
export async function spentOn(
  db: Kysely<Database>,
  { lane, day }: { readonly lane: LaneId; readonly day: number },
): Promise<bigint> {
  const row = await db
    .selectFrom('spending')
    .select('spent')
    .where('lane', '=', lane)
    .where('day', '=', day)
    .executeTakeFirst()
  return BigInt(row?.spent ?? 0)
}

/**
 * Moves what a day's budget has lost, and those of its jobs, from what a transaction was to cost
 * to what it is to cost now, within the transaction that makes it so.
 *
 * @throws `wallet/day-limit`, `api-key/day-limit`
 */
export async function spend(
  trx: Kysely<Database>,
  entry: {
    readonly lane: LaneId
    readonly day: number
    /** The jobs that share it. */
    readonly rows: Charge['rows']
    readonly before: bigint
    readonly after: bigint
    /** What is refused; nothing when absent. */
    readonly limits?: Limits | undefined
  },
): Promise<void> {
  const { lane, day, before, after, limits } = entry
  const change = after - before
  const perDay = limits?.perDay
  const spent = await spentOn(trx, entry)
  if (perDay !== undefined && change > 0n && spent + change > perDay) {
    const facts = { needed: wei(change), spent: wei(spent), limit: perDay }
    throw new Failure('wallet/day-limit', facts)
  }
  const row = { lane, day, spent: String(spent + change) }
  await trx
    .insertInto('spending')
    .values(row)
    .onConflict((it) => it.columns(['lane', 'day']).doUpdateSet({ spent: row.spent }))
    .execute()
  await chargeBudgets(trx, { ...entry, limited: limits !== undefined })
}
