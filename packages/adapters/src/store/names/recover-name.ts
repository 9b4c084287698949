import { randomUUID } from 'node:crypto'
import {
  type Name,
  type OwnedName,
  type Registry,
  type SavedVersion,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import { registryId } from '../seal-notes.ts'
import type { Store } from '../store.ts'
import { holdOf } from './holds.ts'
import { type Db, findName, type NamesPlace, savedVersion } from './name-rows.ts'
import type { NameRow } from './name-tables.ts'

/** The versions in the tables, compared with those of a name that was found on the chain. */
export type StoredLine =
  /** `versions` versions, after which those of `missing` come; 0 where there is no such name. */
  | { readonly kind: 'begun'; readonly versions: number; readonly missing: readonly TokenId[] }
  /** Other versions; the name stays as it is. */
  | { readonly kind: 'different' }
  /** A save holds the name; the server decides it at the next read. */
  | { readonly kind: 'held' }
  /** Another name of the owner has these versions, such as after a renaming. */
  | { readonly kind: 'elsewhere'; readonly name: string }

/** A version that was found on the chain. */
export type RecoveredVersion = Omit<SavedVersion, 'version'>

/** Reads the names of a registry, and writes those that were found elsewhere into a store. */
export type NameRecovery = {
  /** Returns the names with versions, in the order of their owners and texts. */
  readonly names: () => Promise<readonly OwnedName[]>
  /** Returns the versions of a name, the first one first; none for a name that is not there. */
  readonly versions: (of: OwnedName) => Promise<readonly SavedVersion[]>
  /** Returns the tokens that are no versions of the names that they were saved to: their grants had ended. */
  readonly refused: () => Promise<readonly TokenId[]>
  /** Compares the versions that were found with those in the tables. */
  readonly compare: (of: OwnedName, found: readonly TokenId[]) => Promise<StoredLine>
  /**
   * Adds versions at the end of a name, in one transaction, and makes the name where there is none.
   * Returns false, and adds nothing, if the name has not exactly so many versions, or is held.
   */
  readonly append: (
    of: OwnedName,
    versions: number,
    missing: readonly RecoveredVersion[],
  ) => Promise<boolean>
}

/** Returns the recovery of the names of a registry. */
export function nameRecovery(
  { db, commit }: Pick<Store, 'db' | 'commit'>,
  registry: Registry,
): NameRecovery {
  const place = { db, registry: registryId(registry) }
  return {
    names: () => listNames(place),
    versions: (of) => listVersions(place, of),
    refused: () => listRefused(place),
    compare: (of, found) => compare(place, of, found),
    append: (of, versions, missing) =>
      commit(async (trx) => {
        const row = await lockOrMake({ ...place, db: trx }, of)
        if (row.hold !== null || Number(row.version) !== versions) return false
        await insertAll(trx, row, missing)
        return true
      }),
  }
}

async function listNames({ db, registry }: NamesPlace): Promise<readonly OwnedName[]> {
  const rows = await db
    .selectFrom('memoryName')
    .select(['owner', 'name'])
    .where('registry', '=', registry)
    .where('version', '>', 0)
    .orderBy('owner')
    .orderBy('name')
    .execute()
  return rows.map(({ owner, name }) => ({ owner, name: name as Name }))
}

async function listVersions(place: NamesPlace, of: OwnedName): Promise<readonly SavedVersion[]> {
  const row = await findName(place, of)
  if (row === undefined) return []
  const rows = await place.db
    .selectFrom('nameVersion')
    .selectAll()
    .where('name', '=', row.id)
    .where('state', '=', 'saved')
    .orderBy('version')
    .execute()
  return rows.map(savedVersion)
}

async function listRefused({ db, registry }: NamesPlace): Promise<readonly TokenId[]> {
  const rows = await db
    .selectFrom('memoryName')
    .innerJoin('nameVersion', 'nameVersion.name', 'memoryName.id')
    .select('nameVersion.tokenId')
    .where('memoryName.registry', '=', registry)
    .where('nameVersion.state', '=', 'refused')
    .execute()
  return rows.flatMap(({ tokenId: id }) => (id === null ? [] : [tokenId(id)]))
}

async function compare(
  place: NamesPlace,
  of: OwnedName,
  found: readonly TokenId[],
): Promise<StoredLine> {
  const row = await findName(place, of)
  if (row !== undefined && row.hold !== null) return { kind: 'held' }
  if (row === undefined || Number(row.version) === 0) {
    const other = await nameWith(place, of, found.at(-1))
    if (other !== undefined) return { kind: 'elsewhere', name: other }
    return { kind: 'begun', versions: 0, missing: found }
  }
  const last = await lastToken(place.db, row)
  const at = found.findIndex((id) => `${id}` === last)
  const versions = Number(row.version)
  if (at >= 0) return { kind: 'begun', versions, missing: found.slice(at + 1) }
  // The tables may have versions after it whose bundles cannot be read.
  const isKnown = await hasVersion(place.db, row, found.at(-1))
  return isKnown ? { kind: 'begun', versions, missing: [] } : { kind: 'different' }
}

async function hasVersion(db: Db, { id }: NameRow, token: TokenId | undefined): Promise<boolean> {
  const row = await db
    .selectFrom('nameVersion')
    .select('id')
    .where('name', '=', id)
    .where('tokenId', '=', `${token}`)
    .where('state', '=', 'saved')
    .executeTakeFirst()
  return row !== undefined
}

async function lastToken(db: Db, { id, version }: NameRow): Promise<string | null> {
  const { tokenId } = await db
    .selectFrom('nameVersion')
    .select('tokenId')
    .where('name', '=', id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return tokenId
}

/** Returns another name of the owner that has a token; `undefined` if none has. */
async function nameWith(
  { db, registry }: NamesPlace,
  { owner }: OwnedName,
  token: TokenId | undefined,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('memoryName')
    .innerJoin('nameVersion', 'nameVersion.name', 'memoryName.id')
    .select('memoryName.name as text')
    .where('memoryName.registry', '=', registry)
    .where('memoryName.owner', '=', owner)
    .where('nameVersion.tokenId', '=', `${token}`)
    .where('nameVersion.state', '=', 'saved')
    .executeTakeFirst()
  return row?.text
}

async function lockOrMake({ db, registry }: NamesPlace, { owner, name }: OwnedName) {
  const place = { registry, owner, name }
  await db
    .insertInto('memoryName')
    .values({ id: randomUUID(), ...place, version: 0, hold: null })
    .onConflict((it) => it.columns(['registry', 'owner', 'name']).doNothing())
    .execute()
  return db
    .updateTable('memoryName')
    .set({ name })
    .where('registry', '=', registry)
    .where('owner', '=', owner)
    .where('name', '=', name)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function insertAll(
  trx: Db,
  { id: name, version: before }: NameRow,
  missing: readonly RecoveredVersion[],
): Promise<void> {
  for (const [at, { tokenId, txHash, ...version }] of missing.entries()) {
    const row = { id: holdOf(name, randomUUID()), name, state: 'saved' as const, holder: '' }
    const number = { version: Number(before) + at + 1, heldAt: version.savedAt }
    const unknown = { key: null, fingerprint: null, job: null, seal: null, grantId: null }
    await trx
      .insertInto('nameVersion')
      .values({
        ...row,
        ...number,
        ...unknown,
        ...version,
        tokenId: `${tokenId}`,
        txHash: txHash ?? null,
      })
      .execute()
  }
  const version = Number(before) + missing.length
  await trx.updateTable('memoryName').set({ version }).where('id', '=', name).execute()
}
