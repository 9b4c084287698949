import type { Kysely } from 'kysely'
import type { Database, LaneId } from './schema.ts'

/** A lane and a day, in days since 1970. */
export type LaneDay = { readonly lane: LaneId; readonly day: number }

/** Returns the amount that counts for a day: what was paid, plus the highest possible cost of the open slots. */
export async function spentOn(db: Kysely<Database>, { lane, day }: LaneDay): Promise<bigint> {
  const row = await db
    .selectFrom('spending')
    .select('spent')
    .where('lane', '=', lane)
    .where('day', '=', day)
    .executeTakeFirst()
  return BigInt(row?.spent ?? 0)
}

/** Replaces the amount that counts for a day, in wei; returns false where it is not `before`. */
export async function replaceSpent(
  trx: Kysely<Database>,
  { lane, day }: LaneDay,
  { before, after }: { readonly before: bigint; readonly after: bigint },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('spending')
    .set({ spent: String(after) })
    .where('lane', '=', lane)
    .where('day', '=', day)
    .where('spent', '=', String(before))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Writes the amount that counts for a day, in wei. */
export async function writeSpent(
  trx: Kysely<Database>,
  { lane, day }: LaneDay,
  spent: bigint,
): Promise<void> {
  const row = { lane, day, spent: String(spent) }
  await trx
    .insertInto('spending')
    .values(row)
    .onConflict((it) => it.columns(['lane', 'day']).doUpdateSet({ spent: row.spent }))
    .execute()
}

/** Returns the amounts that were spent in some names on a day, by their names; 0 when none was. */
export async function spentInNames(
  db: Kysely<Database>,
  { lane, day }: LaneDay,
  names: readonly string[],
): Promise<(name: string) => bigint> {
  const rows = await db
    .selectFrom('budgetSpending')
    .select(['name', 'spent'])
    .where('lane', '=', lane)
    .where('day', '=', day)
    .where('name', 'in', names)
    .execute()
  return (name) => BigInt(rows.find((row) => row.name === name)?.spent ?? 0)
}

/** Keeps other transactions from the amount that was spent in a name on a day, until this one ends. */
export async function lockSpendingInName(
  trx: Kysely<Database>,
  { lane, day, name }: LaneDay & { readonly name: string },
): Promise<void> {
  await trx
    .insertInto('budgetSpending')
    .values({ lane, day, name, spent: '0' })
    // A row that is there is written as it is, which locks it.
    .onConflict((it) => it.columns(['lane', 'day', 'name']).doUpdateSet({ name }))
    .execute()
}

/** Replaces the amount that was spent in a name on a day, in wei. */
export async function writeSpentInName(
  trx: Kysely<Database>,
  { lane, day, name }: LaneDay & { readonly name: string },
  spent: bigint,
): Promise<void> {
  const row = { lane, day, name, spent: String(spent) }
  await trx
    .insertInto('budgetSpending')
    .values(row)
    .onConflict((it) => it.columns(['lane', 'day', 'name']).doUpdateSet({ spent: row.spent }))
    .execute()
}
