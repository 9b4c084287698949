import { Failure } from '@heirloom/core'
import { type Db, lastVersion, moved } from './name-rows.ts'

/**
 * Begins the mint of a hold in the transaction that stores its job: from now on the job decides it.
 * Returns the failure of a hold that was given up, and whose job must not be stored.
 */
export async function beginMint(
  trx: Db,
  { hold, job }: { readonly hold: string; readonly job: string },
): Promise<Failure | undefined> {
  const { numUpdatedRows } = await trx
    .updateTable('nameVersion')
    .set({ state: 'minting', job })
    .where('id', '=', hold)
    .where('state', '=', 'held')
    .executeTakeFirst()
  return numUpdatedRows > 0n ? undefined : givenUp(trx, hold)
}

/** Returns the failure of a hold that was given up. */
export async function givenUp(db: Db, hold: string): Promise<Failure> {
  const row = await db
    .selectFrom('memoryName')
    .selectAll()
    .where('id', '=', nameOfHold(hold))
    .executeTakeFirst()
  if (row === undefined) return new Failure('name/unavailable', { operation: 'hold' })
  return moved(row.name, await lastVersion(db, row))
}

/** Returns the id of a new hold of a name; it has the id of the name, for when it is given up. */
export const holdOf = (name: string, id: string): string => `${name}.${id}`

/** Returns the id of the name that a hold is of. */
export const nameOfHold = (hold: string): string => hold.slice(0, hold.indexOf('.'))
