import { randomUUID } from 'node:crypto'
import {
  type Account,
  type Digest,
  type Hash,
  type Registry,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import { packTables } from './pack-tables.ts'
import type { SealRow } from './schema.ts'
import { readUsage, refuseBeyond, type SealBounds, unsweptBytes } from './seal-bounds.ts'
import type { Store } from './store.ts'

export type { SealBounds } from './seal-bounds.ts'

/** The request of a creator, by which a repetition is recognised. */
export type SealRequest = Pick<SealRow, 'creator' | 'client' | 'proof' | 'body'> & {
  readonly key: string | undefined
  /** The id of its seal; a new one when absent. */
  readonly id?: string | undefined
}

/** The blobs of a seal, and what its creator mints. */
export type SealedBlobs = {
  readonly contentHash: Hash
  readonly digest: Digest
  readonly card: Digest | undefined
  readonly recipient: Account
  readonly parent: TokenId | undefined
}

/** A seal whose blobs are stored. */
export type SealNote = SealedBlobs &
  Pick<SealRow, 'id' | 'creator' | 'body' | 'storedAt' | 'expiresAt'>

/** A seal as it is found by its request: one that is not stored yet has no note. */
export type FoundSeal = Pick<SealRow, 'id' | 'state' | 'body' | 'storedAt'> & {
  readonly note: SealNote | undefined
}

/** The space and the time that a seal needs. Times are milliseconds since 1970. */
export type SealSpace = Pick<SealRow, 'bytes' | 'storedAt' | 'expiresAt'> & {
  readonly bounds: SealBounds
}

/** The notes of the memories that were sealed for wallets that mint themselves. */
export type SealNotes = {
  /** Returns the seal of a request, by its proof or by its idempotency key. */
  find(request: Pick<SealRequest, 'proof' | 'key'>): Promise<FoundSeal | undefined>
  /**
   * Requires that one more seal of any length fits into the bounds.
   *
   * @throws `seal/too-many`, `seal/no-room`
   */
  requireRoom(request: Pick<SealRequest, 'creator' | 'client'>, bounds: SealBounds): Promise<void>
  /**
   * Reserves the space of a seal before its blobs are stored, and returns its id; `undefined` if the
   * same request arrived twice and the other one was faster.
   *
   * @throws `seal/too-many`, `seal/no-room`
   */
  reserve(request: SealRequest, space: SealSpace): Promise<string | undefined>
  /** Notes the blobs of a seal durably; returns false if its reservation is gone. */
  complete(id: string, blobs: SealedBlobs): Promise<boolean>
  /** Ends a reservation whose blobs were not stored. */
  release(id: string): Promise<void>
  /** Returns the unminted seals of a creator with a content hash. */
  unmintedOf(creator: Account, contentHash: Hash): Promise<readonly SealNote[]>
  /** Returns the unminted seals that expire before a time, at most `limit`, the first to expire first. */
  unminted(before: number, limit: number): Promise<readonly SealNote[]>
  /** Returns the expired seals, whose blobs every server removes from its own storage. */
  expired(): Promise<readonly SealNote[]>
  /** Returns the bytes of expired seals whose packs are not removed yet. */
  unsweptBytes(): Promise<number>
  /** Ends the wait for a mint; returns false if it was ended before. */
  end(id: string, state: 'minted' | 'expired'): Promise<boolean>
  /** Deletes the notes of reservations that began, and of seals that expired, before these times. */
  forget(times: { readonly storing: number; readonly expired: number }): Promise<void>
}

const storing = 'storing' as const
const unminted = 'unminted' as const

/** Returns the id of a registry in the notes. */
export const registryId = ({ chainId, address }: Registry): string =>
  `${chainId}:${address.toLowerCase()}`

/**
 * Returns the notes in a store. Those of another registry wait for a server of that registry:
 * only its chain shows whether they were minted.
 */
export function sealNotes(
  { db, commit, migrate, now }: Pick<Store, 'db' | 'commit' | 'migrate' | 'now'>,
  place: Registry,
): SealNotes {
  const registry = registryId(place)
  const withPacks = packTablesOf(migrate)
  const rows = () => db.selectFrom('seal').selectAll()
  const waiting = () => rows().where('state', '=', unminted).where('registry', '=', registry)
  const notesOf = async (query: { execute(): Promise<SealRow[]> }) =>
    (await query.execute()).flatMap((row) => noteOf(row) ?? [])
  return {
    find: async ({ proof, key }) => {
      const matches = rows().where((it) =>
        it.or([it('proof', '=', proof), ...(key === undefined ? [] : [it('key', '=', key)])]),
      )
      const found = await matches.execute()
      // A proof seals once, whatever key comes with it.
      const row = found.find((it) => it.proof === proof) ?? found[0]
      return row && foundSeal(row)
    },
    requireRoom: async (request, bounds) => {
      await withPacks()
      refuseBeyond(bounds, await readUsage(db, request, now()), 1)
    },
    // A reservation that a power loss loses is one whose blobs nobody was told about.
    reserve: async (request, space) => {
      await withPacks()
      const one = { ...request, registry, now: now() }
      return commit((trx) => reserve(trx, one, space), 'lazily')
    },
    complete: (id, blobs) => commit((trx) => complete(trx, id, blobs)),
    release: async (id) => {
      await db.deleteFrom('seal').where('id', '=', id).where('state', '=', storing).execute()
    },
    unmintedOf: (creator, contentHash) =>
      notesOf(waiting().where('creator', '=', creator).where('contentHash', '=', contentHash)),
    unminted: (before, limit) =>
      notesOf(waiting().where('expiresAt', '<', before).orderBy('expiresAt').limit(limit)),
    expired: () => notesOf(rows().where('state', '=', 'expired')),
    unsweptBytes: async () => {
      await withPacks()
      return unsweptBytes(db, now())
    },
    end: (id, state) => end(db, id, state),
    forget: (times) => forget(db, times),
  }
}

/** Returns a function that makes the notes on packs, which the bounds count, unless they are there. */
function packTablesOf(migrate: Store['migrate']): () => Promise<void> {
  let migration: Promise<void> | undefined
  return () => {
    migration ??= migrate(packTables).catch((error: unknown) => {
      migration = undefined
      throw error
    })
    return migration
  }
}

type Db = Store['db']

async function reserve(
  trx: Db,
  {
    key,
    id = randomUUID(),
    now,
    ...request
  }: SealRequest & Pick<SealRow, 'registry'> & { readonly now: number },
  { bounds, ...space }: SealSpace,
): Promise<string | undefined> {
  refuseBeyond(bounds, await readUsage(trx, request, now), space.bytes)
  const empty = { contentHash: null, digest: null, card: null, recipient: null, parent: null }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('seal')
    .values({ id, state: storing, ...request, key: key ?? null, ...space, ...empty })
    .onConflict((it) => it.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n ? id : undefined
}

async function complete(
  trx: Db,
  id: string,
  { parent, card, ...blobs }: SealedBlobs,
): Promise<boolean> {
  const values = { ...blobs, card: card ?? null, parent: parent?.toString() ?? null }
  const { numUpdatedRows } = await trx
    .updateTable('seal')
    .set({ state: unminted, ...values })
    .where('id', '=', id)
    .where('state', '=', storing)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function end(db: Db, id: string, state: 'minted' | 'expired'): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('seal')
    // The address of a client is stored no longer than it is needed, and the key of a seal that has
    // expired is free again.
    .set({ state, client: '', ...(state === 'expired' && { key: null }) })
    .where('id', '=', id)
    .where('state', '=', unminted)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function forget(
  db: Db,
  times: { readonly storing: number; readonly expired: number },
): Promise<void> {
  const seals = db.deleteFrom('seal')
  await seals.where('state', '=', storing).where('storedAt', '<', times.storing).execute()
  await seals.where('state', '=', 'expired').where('expiresAt', '<', times.expired).execute()
}

function foundSeal(row: SealRow): FoundSeal {
  const { id, state, body, storedAt } = row
  return { id, state, body, storedAt: Number(storedAt), note: noteOf(row) }
}

function noteOf(row: SealRow): SealNote | undefined {
  const { id, creator, body, contentHash, digest, card, recipient, parent } = row
  if (contentHash === null || digest === null || recipient === null) return undefined
  return {
    id,
    creator,
    body,
    contentHash,
    digest,
    recipient,
    card: card ?? undefined,
    parent: parent === null ? undefined : tokenId(parent),
    storedAt: Number(row.storedAt),
    expiresAt: Number(row.expiresAt),
  }
}

/** Reports whether a seal that has not expired has a blob with this digest. */
export async function hasSealFor({ db }: Pick<Store, 'db'>, digest: Digest): Promise<boolean> {
  const seal = await db
    .selectFrom('seal')
    .select('id')
    .where((it) => it.or([it('digest', '=', digest), it('card', '=', digest)]))
    .where('state', '!=', 'expired')
    .executeTakeFirst()
  return seal !== undefined
}

/** Returns the number and the bytes of the seals in each state. */
export async function countSeals({
  db,
}: Pick<Store, 'db'>): Promise<Readonly<Record<SealRow['state'], SealCount>>> {
  const rows = await db
    .selectFrom('seal')
    .select((it) => ['state', it.fn.countAll().as('seals'), it.fn.sum('bytes').as('bytes')])
    .groupBy('state')
    .execute()
  const counts = rows.map(
    (row) => [row.state, { seals: Number(row.seals), bytes: Number(row.bytes) }] as const,
  )
  const none = { seals: 0, bytes: 0 }
  const all = { storing: none, unminted: none, minted: none, expired: none }
  return { ...all, ...Object.fromEntries(counts) }
}

/** A number of seals, and the bytes of their blobs. */
export type SealCount = { readonly seals: number; readonly bytes: number }
