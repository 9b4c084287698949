import type { Account, Digest } from '@heirloom/core'
import type { PackTables } from './pack-tables.ts'
import type { Store } from './store.ts'

/** The number of packs in each state. */
export type PackCount = { readonly stored: number; readonly condemned: number }

/** The time for which a pack is leased by the save that uses it, in milliseconds. */
export const packLease = 86_400_000

/** A store, and the registry whose packs are noted in it. */
export type PackParts = {
  readonly store: Pick<Store, 'db' | 'commit' | 'isShared' | 'now'>
  /** The registry that the packs were sealed for. */
  readonly registry: string
}

/** Returns the tables of packs in a store. */
export const tablesOf = ({ db }: Pick<Store, 'db'>) => db.withTables<PackTables>()

/** The tables of a store, or of a transaction in it. */
type Tables = ReturnType<typeof tablesOf>

/** Commits work on the tables of packs. */
export const commitPacks = <T>(
  { store }: Pick<PackParts, 'store'>,
  work: (trx: Tables) => Promise<T>,
): Promise<T> => store.commit((trx) => work(trx.withTables<PackTables>()))

/** Notes a pack as stored; see `PackNotes.store`. */
export async function storePack(
  parts: PackParts,
  pack: Digest,
  creator: Account,
): Promise<'stored' | 'condemned'> {
  return commitPacks(parts, async (trx) => {
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

const endOfLease = ({ store }: PackParts): number => store.now() + packLease

type Leased = { readonly packs: readonly Digest[]; readonly creator: Account }

/** Notes packs as stored, and extends the leases of those that are noted. */
async function insert(trx: Tables, parts: PackParts, { packs, creator }: Leased) {
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
  parts: PackParts,
  packs: readonly Digest[],
  creator: Account,
): Promise<boolean> {
  if (packs.length === 0) return true
  try {
    await commitPacks(parts, async (trx) => {
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
  { store, registry }: PackParts,
  root: Digest,
  { packs, creator }: Leased,
): Promise<void> {
  const owner = { registry, creator: creator.toLowerCase() }
  const storedAt = store.now()
  await commitPacks({ store }, (trx) =>
    trx
      .insertInto('packRoot')
      .values({ digest: root, ...owner, packs: JSON.stringify(packs), storedAt })
      .onConflict((it) => it.column('digest').doUpdateSet({ storedAt }))
      .execute(),
  )
}

/** Reports whether there is a note on a root. */
export async function hasRoot({ store }: PackParts, root: Digest): Promise<boolean> {
  const rows = tablesOf(store).selectFrom('packRoot').select('digest').where('digest', '=', root)
  return (await rows.executeTakeFirst()) !== undefined
}

/** Reports whether there is a note on a pack. */
export async function isNoted({ store }: PackParts, pack: Digest): Promise<boolean> {
  const rows = tablesOf(store).selectFrom('pack').select('digest').where('digest', '=', pack)
  return (await rows.executeTakeFirst()) !== undefined
}

/** Counts the packs in each state. */
export async function countPacks({ store, registry }: PackParts): Promise<PackCount> {
  const rows = await tablesOf(store)
    .selectFrom('pack')
    .select((it) => ['state', it.fn.countAll().as('packs')])
    .where('registry', '=', registry)
    .groupBy('state')
    .execute()
  const counts = Object.fromEntries(rows.map((it) => [it.state, Number(it.packs)]))
  return { stored: 0, condemned: 0, ...counts }
}
