import { hash } from 'node:crypto'
import {
  Failure,
  type Idempotency,
  instant,
  type Name,
  type NameRecord,
  type OwnedName,
  type SavedVersion,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import type { Store } from '../store.ts'
import type { NameRow, NameVersionRow } from './name-tables.ts'

/** A database, or a transaction in one. */
export type Db = Store['db']

/** The names of one registry in a database. */
export type NamesPlace = { readonly db: Db; readonly registry: string }

/** Returns the row of a name. */
export function findName(
  { db, registry }: NamesPlace,
  { owner, name }: OwnedName,
): Promise<NameRow | undefined> {
  return db
    .selectFrom('memoryName')
    .selectAll()
    .where('registry', '=', registry)
    .where('owner', '=', owner)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Returns the last version of a name; `undefined` for a name without versions. */
export async function lastVersion(db: Db, row: NameRow): Promise<SavedVersion | undefined> {
  if (Number(row.version) === 0) return undefined
  const found = await db
    .selectFrom('nameVersion')
    .selectAll()
    .where('name', '=', row.id)
    .where('version', '=', row.version)
    .executeTakeFirstOrThrow()
  return savedVersion(found)
}

/** Returns the version of a name that a token is. */
export async function findVersion(
  db: Db,
  { id }: NameRow,
  token: TokenId,
): Promise<SavedVersion | undefined> {
  const found = await db
    .selectFrom('nameVersion')
    .selectAll()
    .where('name', '=', id)
    .where('tokenId', '=', `${token}`)
    .where('state', '=', 'saved')
    .executeTakeFirst()
  return found && savedVersion(found)
}

/** Returns a name with its last version. */
export async function nameRecord(db: Db, row: NameRow): Promise<NameRecord | undefined> {
  const last = await lastVersion(db, row)
  return last && { name: row.name as Name, last }
}

/** Returns names with their last versions in one read; those without versions are left out. */
export async function nameRecords(db: Db, rows: readonly NameRow[]): Promise<NameRecord[]> {
  if (rows.length === 0) return []
  const found = await db
    .selectFrom('nameVersion')
    .innerJoin('memoryName', (join) =>
      join
        .onRef('memoryName.id', '=', 'nameVersion.name')
        .onRef('memoryName.version', '=', 'nameVersion.version'),
    )
    .selectAll('nameVersion')
    .where(
      'memoryName.id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  const last = new Map(found.map((it) => [it.name, savedVersion(it)]))
  return rows.flatMap(({ id, name }) => {
    const version = last.get(id)
    return version === undefined ? [] : [{ name: name as Name, last: version }]
  })
}

/** Returns the version that a row of a saved one has. */
export function savedVersion(row: NameVersionRow): SavedVersion {
  const { contentHash, digest, creator, recipient, tokenId: id, txHash, savedBy } = row
  if (contentHash === null || digest === null || creator === null || id === null) {
    throw new Error('A version that is saved has a token.')
  }
  return {
    contentHash,
    digest,
    creator,
    recipient: recipient ?? creator,
    savedBy,
    tokenId: tokenId(id),
    txHash: txHash ?? undefined,
    version: Number(row.version),
    documentBytes: Number(row.documentBytes),
    storedBytes: Number(row.storedBytes),
    savedAt: instant(Number(row.savedAt)),
  }
}

/** Returns the key of a save in the table: keys of different owners never collide. */
export const keyOf = (registry: string, owner: string, { key }: Idempotency): string =>
  hash('sha256', `${registry}\n${owner}\n${key}`)

/** Returns the failure of a save that another one was faster than. */
export function moved(name: string, last: SavedVersion | undefined): Failure {
  const { tokenId: newest, version } = last ?? { tokenId: tokenId(0n), version: 0 }
  return new Failure('name/moved', { name, tokenId: newest, version })
}
