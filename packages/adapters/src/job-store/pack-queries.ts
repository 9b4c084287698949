import { type Account, type Digest, digest } from '@heirloom/core'
import type { JobStore } from './job-store.ts'
import type { PackTables } from './pack-tables.ts'

/** The packs of a creator that may be removed, and what the notes know of their use. */
export type NotedPacks = {
  /** The stored packs whose leases have ended. */
  readonly due: readonly Digest[]
  readonly condemned: readonly CondemnedPack[]
  /** The packs of each root that was stored, with or without a token. */
  readonly roots: ReadonlyMap<Digest, NotedRoot>
}

/** A pack that is being removed, or was, and the time when that was decided. */
export type CondemnedPack = { readonly digest: Digest; readonly at: number }

/** The packs of a version. */
export type NotedRoot = { readonly packs: readonly Digest[]; readonly storedAt: number }

/** The number of packs in each state. */
export type PackCount = { readonly stored: number; readonly condemned: number }

/** The time for which a pack is leased by the save that uses it, in milliseconds. */
export const packLease = 86_400_000

/** The most digests in one statement. */
const batchSize = 500

type Parts = {
  readonly store: Pick<JobStore, 'db' | 'commit' | 'isShared' | 'now'>
  /** The registry that the packs were sealed for. */
  readonly registry: string
}

const tablesOf = ({ db }: Pick<JobStore, 'db'>) => db.withTables<PackTables>()

/** The tables of a job store, or of a transaction in it. */
type Tables = ReturnType<typeof tablesOf>

const commit = <T>(
  { store }: Pick<Parts, 'store'>,
  work: (trx: Tables) => Promise<T>,
): Promise<T> => store.commit((trx) => work(trx.withTables<PackTables>()))

/** Notes a pack as stored; see `PackNotes.store`. */
export async function storePack(
  parts: Parts,
  pack: Digest,
  creator: Account,
): Promise<'stored' | 'condemned'> {
  return commit(parts, async (trx) => {
    // First: in a shared database it waits for a server that removes the pack, and locks the row.
    await insert(trx, parts, { packs: [pack], creator })
    const { numUpdatedRows } = await trx
      .updateTable('pack')
      .set({ state: 'stored' })
      .where('digest', '=', pack)
      .where('state', '=', 'condemned')
      .executeTakeFirst()
    return numUpdatedRows > 0n ? 'condemned' : 'stored'
  })
}

const endOfLease = ({ store }: Parts): number => store.now() + packLease

type Leased = { readonly packs: readonly Digest[]; readonly creator: Account }

/** Notes packs as stored, and extends the leases of those that are noted. */
async function insert(trx: Tables, parts: Parts, { packs, creator }: Leased) {
  const leasedUntil = endOfLease(parts)
  const owner = { registry: parts.registry, creator: creator.toLowerCase() }
  // In one order, so that two transactions cannot wait for each other.
  const values = packs
    .toSorted()
    .map((digest) => ({ digest, ...owner, state: 'stored' as const, leasedUntil }))
  await trx
    .insertInto('pack')
    .values(values)
    .onConflict((it) => it.column('digest').doUpdateSet({ leasedUntil }))
    .execute()
}

/** Rolls back the lease of packs of which one is condemned. */
class Condemned extends Error {}

/** Leases packs, all or none. */
export async function leasePacks(
  parts: Parts,
  packs: readonly Digest[],
  creator: Account,
): Promise<boolean> {
  if (packs.length === 0) return true
  try {
    await commit(parts, async (trx) => {
      // First: in a shared database it locks the rows, so that none is condemned after the look.
      await insert(trx, parts, { packs, creator })
      const condemned = trx.selectFrom('pack').select('digest').where('digest', 'in', packs)
      const found = await condemned.where('state', '=', 'condemned').executeTakeFirst()
      if (found !== undefined) throw new Condemned()
    })
    return true
  } catch (error) {
    if (error instanceof Condemned) return false
    throw error
  }
}

/** Notes the packs of a version. */
export async function noteRoot(
  { store, registry }: Parts,
  root: Digest,
  { packs, creator }: Leased,
): Promise<void> {
  const owner = { registry, creator: creator.toLowerCase() }
  const storedAt = store.now()
  await commit({ store }, (trx) =>
    trx
      .insertInto('packRoot')
      .values({ digest: root, ...owner, packs: JSON.stringify(packs), storedAt })
      .onConflict((it) => it.column('digest').doUpdateSet({ storedAt }))
      .execute(),
  )
}

/** Returns the creators whose packs a sweep must look at. */
export async function creatorsDue({ store, registry }: Parts): Promise<readonly Account[]> {
  const now = store.now()
  const rows = await tablesOf(store)
    .selectFrom('pack')
    .select('creator')
    .distinct()
    .where('registry', '=', registry)
    .where((it) => it.or([it('state', '=', 'condemned'), it('leasedUntil', '<', now)]))
    .execute()
  return rows.map(({ creator }) => creator as Account)
}

/** Reports whether there is a note on a root. */
export async function hasRoot({ store }: Parts, root: Digest): Promise<boolean> {
  const rows = tablesOf(store).selectFrom('packRoot').select('digest').where('digest', '=', root)
  return (await rows.executeTakeFirst()) !== undefined
}

/** Reports whether there is a note on a pack. */
export async function isNoted({ store }: Parts, pack: Digest): Promise<boolean> {
  const rows = tablesOf(store).selectFrom('pack').select('digest').where('digest', '=', pack)
  return (await rows.executeTakeFirst()) !== undefined
}

/** Returns what is noted of the packs of a creator. */
export async function readPacks({ store, registry }: Parts, creator: Account): Promise<NotedPacks> {
  const now = store.now()
  const tables = tablesOf(store)
  const owner = creator.toLowerCase()
  const packs = await tables
    .selectFrom('pack')
    .select(['digest', 'state', 'leasedUntil'])
    .where('registry', '=', registry)
    .where('creator', '=', owner)
    .where((it) => it.or([it('state', '=', 'condemned'), it('leasedUntil', '<', now)]))
    .execute()
  const roots = await tables
    .selectFrom('packRoot')
    .select(['digest', 'packs', 'storedAt'])
    .where('registry', '=', registry)
    .where('creator', '=', owner)
    .execute()
  return {
    due: packs.filter((it) => it.state === 'stored').map((it) => it.digest),
    condemned: packs
      .filter((it) => it.state === 'condemned')
      .map((it) => ({ digest: it.digest, at: Number(it.leasedUntil) })),
    roots: new Map(roots.map((it) => [it.digest, rootOf(it.packs, it.storedAt)])),
  }
}

const rootOf = (packs: string, storedAt: number | string): NotedRoot => ({
  packs: (JSON.parse(packs) as readonly string[]).map(digest),
  storedAt: Number(storedAt),
})

/** Condemns packs whose leases have ended. */
export async function condemnPacks(parts: Parts, packs: readonly Digest[]): Promise<void> {
  for (const batch of batchesOf(packs)) {
    const now = parts.store.now()
    await commit(parts, (trx) =>
      trx
        .updateTable('pack')
        .set({ state: 'condemned', leasedUntil: now })
        .where('digest', 'in', batch)
        .where('state', '=', 'stored')
        // A save may have leased it since it was read.
        .where('leasedUntil', '<', now)
        .execute(),
    )
  }
}

/** Stores condemned packs again. */
export async function pardonPacks(parts: Parts, packs: readonly Digest[]): Promise<void> {
  for (const batch of batchesOf(packs)) {
    await commit(parts, (trx) =>
      trx.updateTable('pack').set({ state: 'stored' }).where('digest', 'in', batch).execute(),
    )
  }
}

function* batchesOf(packs: readonly Digest[]): Generator<readonly Digest[]> {
  for (let at = 0; at < packs.length; at += batchSize) yield packs.slice(at, at + batchSize)
}

/** Runs `remove` while a pack is condemned; see `PackNotes.whileCondemned`. */
export async function whileCondemned(
  parts: Parts,
  pack: Digest,
  remove: () => Promise<void>,
): Promise<boolean> {
  const { store } = parts
  if (!store.isShared) {
    // Only this process has the notes, and it does nothing else with this pack meanwhile.
    const rows = tablesOf(store).selectFrom('pack').select('digest').where('digest', '=', pack)
    const row = await rows.where('state', '=', 'condemned').executeTakeFirst()
    if (row === undefined) return false
    await remove()
    return true
  }
  return commit(parts, async (trx) => {
    // The lock of the row holds back a server that stores the pack anew.
    const { numUpdatedRows } = await trx
      .updateTable('pack')
      .set({ state: 'condemned' })
      .where('digest', '=', pack)
      .where('state', '=', 'condemned')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await remove()
    return true
  })
}

type Forgotten = { readonly roots: readonly Digest[]; readonly condemned: number }

/** Deletes notes. */
export async function forgetNotes(
  { store, registry }: Parts,
  { roots, condemned }: Forgotten,
): Promise<void> {
  const tables = tablesOf(store)
  for (const batch of batchesOf(roots)) {
    await tables.deleteFrom('packRoot').where('digest', 'in', batch).execute()
  }
  await tables
    .deleteFrom('pack')
    .where('registry', '=', registry)
    .where('state', '=', 'condemned')
    .where('leasedUntil', '<', condemned)
    .execute()
}

/** Counts the packs in each state. */
export async function countPacks({ store, registry }: Parts): Promise<PackCount> {
  const rows = await tablesOf(store)
    .selectFrom('pack')
    .select((it) => ['state', it.fn.countAll().as('packs')])
    .where('registry', '=', registry)
    .groupBy('state')
    .execute()
  const counts = Object.fromEntries(rows.map((it) => [it.state, Number(it.packs)]))
  return { stored: 0, condemned: 0, ...counts }
}
