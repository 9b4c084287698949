import { Failure, type HoldId, type NamedMint, type SavedVersion } from '@heirloom/core'
import { type Db, lastVersion, moved, savedVersion } from './name-rows.ts'

/**
 * Moves a name to the token of its hold, in one transaction, and returns the new version; the same
 * again where it was moved before.
 *
 * @throws `name/moved` when the hold was given up, `grant/ended` when its token was refused
 */
export async function moveName(trx: Db, id: HoldId, minted: NamedMint): Promise<SavedVersion> {
  const row = await trx
    .selectFrom('nameVersion')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (row?.state === 'saved') return savedVersion(row)
  if (row?.state === 'refused') throw new Failure('grant/ended', { tokenId: minted.tokenId })
  const name = await trx
    .updateTable('memoryName')
    .set((it) => ({ version: it('version', '+', 1), hold: null }))
    .where('hold', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (name === undefined) throw await givenUp(trx, id)
  const { tokenId, txHash, acceptedAt } = minted
  const saved = await trx
    .updateTable('nameVersion')
    .set({ state: 'saved', version: name.version, tokenId: `${tokenId}`, savedAt: acceptedAt })
    .set({ txHash: txHash ?? null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return savedVersion(saved)
}

/**
 * Ends a hold without a token. With `only`, one that has this state; returns whether it was ended.
 */
export async function releaseName(trx: Db, id: HoldId, only?: 'held'): Promise<boolean> {
  const deletion = trx.deleteFrom('nameVersion').where('id', '=', id).where('state', '!=', 'saved')
  const limited = only === undefined ? deletion : deletion.where('state', '=', only)
  const { numDeletedRows } = await limited.executeTakeFirst()
  if (numDeletedRows === 0n) return false
  const held = trx.updateTable('memoryName').where('hold', '=', id)
  await held.set({ hold: null }).execute()
  // One that gave way may still come back, and then fails because the name has moved on.
  if (only === undefined) await removeUnsaved(trx, nameOfHold(id))
  return true
}

/** Ends a hold whose token is no version, and remembers that. */
export async function refuseToken(
  trx: Db,
  id: HoldId,
  { tokenId, txHash, acceptedAt }: NamedMint,
): Promise<void> {
  const freed = trx.updateTable('memoryName').set({ hold: null }).where('hold', '=', id)
  const { numUpdatedRows } = await freed.executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const minted = { tokenId: `${tokenId}`, txHash: txHash ?? null, savedAt: acceptedAt }
  await trx
    .updateTable('nameVersion')
    .set({ ...minted, state: 'refused', key: null })
    .where('id', '=', id)
    .execute()
}

/** Removes a name without a version: anyone who may seal can hold any number of new ones. */
async function removeUnsaved(trx: Db, id: string): Promise<void> {
  const unsaved = trx.deleteFrom('memoryName').where('version', '=', 0).where('hold', 'is', null)
  await unsaved.where('id', '=', id).execute()
}

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
const nameOfHold = (hold: string): string => hold.slice(0, hold.indexOf('.'))
