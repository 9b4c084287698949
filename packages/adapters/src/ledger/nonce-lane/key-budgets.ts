import { type Budget, Failure, wei } from '@heirloom/core'
import type { Kysely } from 'kysely'
import type { JobRow } from './job-row.ts'
import type { Database, LaneId } from '../../job-store/schema.ts'

/** Writes a budget as it is kept with a job. */
export function budgetToText({ name, perCall, perDay }: Budget): string {
  return JSON.stringify({ name, perCall: perCall?.toString(), perDay: perDay?.toString() })
}

/** Reads the budget of a job; absent where it was asked for in nobody's name. */
export function budgetOf({ budget }: Pick<JobRow, 'budget'>): Budget | undefined {
  if (budget === null) return undefined
  const { name, perCall, perDay } = JSON.parse(budget)
  return {
    name,
    ...(perCall !== undefined && { perCall: wei(perCall) }),
    ...(perDay !== undefined && { perDay: wei(perDay) }),
  }
}

/** Refuses a job that may cost more than its budget allows one; `share` is its part of a transaction. */
export function refuseBeyondBudget(rows: readonly Pick<JobRow, 'budget'>[], share: bigint): void {
  for (const { name, perCall: limit } of rows.flatMap((row) => budgetOf(row) ?? [])) {
    if (limit !== undefined && share > limit) {
      throw new Failure('api-key/call-limit', { name, needed: wei(share), limit })
    }
  }
}

/** Returns what has been spent in a name on a day, and what may still be. */
export async function spentInName(
  db: Kysely<Database>,
  { lane, day, name }: { readonly lane: LaneId; readonly day: number; readonly name: string },
): Promise<bigint> {
  const row = await db
    .selectFrom('budgetSpending')
    .select('spent')
    .where('lane', '=', lane)
    .where('day', '=', day)
    .where('name', '=', name)
    .executeTakeFirst()
  return BigInt(row?.spent ?? 0)
}

/** What a transaction was to cost, and what it is to cost now; `rows` share it equally. */
export type Charge = {
  readonly lane: LaneId
  readonly day: number
  readonly rows: readonly Pick<JobRow, 'budget'>[]
  readonly before: bigint
  readonly after: bigint
  /** Whether more than a budget has left is refused. */
  readonly limited: boolean
}

/**
 * Moves what each budget has lost, within the transaction that makes it so.
 *
 * @throws `api-key/day-limit`
 */
export async function chargeBudgets(trx: Kysely<Database>, charge: Charge): Promise<void> {
  const { lane, day, limited } = charge
  for (const { name, perDay, change } of changesOf(charge)) {
    const spent = await spentInName(trx, { lane, day, name })
    if (limited && perDay !== undefined && change > 0n && spent + change > perDay) {
      const facts = { name, needed: wei(change), spent: wei(spent), limit: perDay }
      throw new Failure('api-key/day-limit', facts)
    }
    const row = { lane, day, name, spent: String(spent + change) }
    await trx
      .insertInto('budgetSpending')
      .values(row)
      .onConflict((it) => it.columns(['lane', 'day', 'name']).doUpdateSet({ spent: row.spent }))
      .execute()
  }
}

type Change = Budget & { readonly change: bigint }

/** Returns what changes for each name, in the order of the names, so that nobody waits in a circle. */
function changesOf({ rows, before, after }: Charge): readonly Change[] {
  const changes = new Map<string, Change>()
  for (const [place, row] of rows.entries()) {
    const budget = budgetOf(row)
    if (budget === undefined) continue
    const { change = 0n } = changes.get(budget.name) ?? {}
    const share = partOf(after, place, rows.length) - partOf(before, place, rows.length)
    changes.set(budget.name, { ...budget, change: change + share })
  }
  return [...changes.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Returns one of so many equal parts; all of them together are the whole, whatever it is. */
const partOf = (whole: bigint, place: number, parts: number): bigint =>
  (whole * BigInt(place + 1)) / BigInt(parts) - (whole * BigInt(place)) / BigInt(parts)
