import { Failure, type Name, type OwnedName, type TokenId } from '@heirloom/core'
import { findName, lastVersion, moved, type NamesPlace } from './name-rows.ts'
import type { NameRow } from './name-tables.ts'

/**
 * Gives a name another text, in one transaction.
 *
 * @throws `name/not-found`, `name/held`, `name/taken`
 */
export async function renameName(place: NamesPlace, of: OwnedName, to: Name): Promise<void> {
  const { id } = await requireFree(place, of)
  const target = await findName(place, { owner: of.owner, name: to })
  if (target?.id === id) return
  if (target !== undefined && isUsed(target)) throw new Failure('name/taken', { name: to })
  const { db } = place
  if (target !== undefined) {
    const unheld = db.deleteFrom('memoryName').where('hold', 'is', null)
    await unheld.where('id', '=', target.id).execute()
  }
  const renamed = db.updateTable('memoryName').set({ name: to }).where('id', '=', id)
  await requireUnheld(renamed.where('hold', 'is', null).executeTakeFirst(), of)
}

/**
 * Forgets a name and its versions, in one transaction: with `last` only one with this last version.
 *
 * @throws `name/not-found`, `name/held`, `name/moved`
 */
export async function forgetName(
  place: NamesPlace,
  of: OwnedName,
  last: TokenId | undefined,
): Promise<void> {
  const found = await requireFree(place, of)
  const { id } = found
  const { db } = place
  const newest = await lastVersion(db, found)
  if (last !== undefined && newest?.tokenId !== last) throw moved(of.name, newest)
  const row = db.deleteFrom('memoryName').where('id', '=', id).where('hold', 'is', null)
  const { numDeletedRows } = await row.executeTakeFirst()
  if (numDeletedRows === 0n) throw new Failure('name/held', { name: of.name })
  await db.deleteFrom('nameVersion').where('name', '=', id).execute()
}

const isUsed = ({ version, hold }: NameRow): boolean => Number(version) > 0 || hold !== null

async function requireFree(place: NamesPlace, of: OwnedName): Promise<NameRow> {
  const row = await findName(place, of)
  if (row === undefined || !isUsed(row)) throw new Failure('name/not-found', { name: of.name })
  if (row.hold !== null) throw new Failure('name/held', { name: of.name })
  return row
}

async function requireUnheld(
  update: Promise<{ readonly numUpdatedRows: bigint }>,
  { name }: OwnedName,
): Promise<void> {
  const { numUpdatedRows } = await update
  if (numUpdatedRows === 0n) throw new Failure('name/held', { name })
}
