import { type Account, type Digest, digest } from '@heirloom/core'
import { commitPacks, type PackParts, tablesOf } from './pack-queries.ts'

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

/** The most digests in one statement. */
const batchSize = 500

/** Returns the creators whose packs a sweep must look at. */
export async function creatorsDue({ store, registry }: PackParts): Promise<readonly Account[]> {
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

/** Returns what is noted of the packs of a creator. */
export async function readPacks(
  { store, registry }: PackParts,
  creator: Account,
): Promise<NotedPacks> {
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
export async function condemnPacks(parts: PackParts, packs: readonly Digest[]): Promise<void> {
  for (const batch of batchesOf(packs)) {
    const now = parts.store.now()
    await commitPacks(parts, (trx) =>
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
export async function pardonPacks(parts: PackParts, packs: readonly Digest[]): Promise<void> {
  for (const batch of batchesOf(packs)) {
    await commitPacks(parts, (trx) =>
      trx.updateTable('pack').set({ state: 'stored' }).where('digest', 'in', batch).execute(),
    )
  }
}

function* batchesOf(packs: readonly Digest[]): Generator<readonly Digest[]> {
  for (let at = 0; at < packs.length; at += batchSize) yield packs.slice(at, at + batchSize)
}

/** Runs `remove` while a pack is condemned; see `PackNotes.whileCondemned`. */
export async function whileCondemned(
  parts: PackParts,
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
  return commitPacks(parts, async (trx) => {
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
  { store, registry }: PackParts,
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
