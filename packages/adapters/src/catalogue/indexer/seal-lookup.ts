import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Digest,
  digest,
  type Registry,
  readFacts,
  type Seal,
  sameAccount,
} from '@heirloom/core'
import { indexFormats } from '../card-words.ts'
import { type CatalogueStore, insertRows } from '../catalogue-store.ts'
import { nobodyOfOurs, pendingState, type SealRow, tables } from '../schema.ts'
import { bytesOf, hexOf, updateOnConflict } from '../table.ts'

/** Reads the head of a sealed bundle; returns `undefined` when the bundle is not in this store. */
export type ReadSeal = (digest: Digest) => Promise<Seal | undefined>

/** The number of seals per lookup. */
const batchSize = 256

export declare namespace lookUpSeals {
  type Input = { readonly readSeal: ReadSeal; readonly registry: Registry }
}

/** Looks up the seals that are due at a time in milliseconds, and returns their number. */
export async function lookUpSeals(
  store: CatalogueStore,
  { readSeal, registry }: lookUpSeals.Input,
  now: number,
): Promise<number> {
  const pending = await store.db
    .selectFrom('seal')
    .selectAll()
    .where('state', '=', pendingState)
    .where('lookAt', '<=', now)
    .orderBy('lookAt')
    .limit(batchSize)
    .execute()
  const results = await Promise.all(pending.map((it) => lookUp(readSeal, it)))
  const rows = results.map((it) => ({ ...it.pending, ...sealColumns(it, registry, now) }))
  const named = rows.filter(({ format }, index) => format !== pending[index]?.format)
  const others = rows.filter((it) => !named.includes(it))
  await insertRows(store, store.db, { table: 'seal', rows: others, onConflict: updateSeal })
  await writeInTurns(named, (some) => saveFormats(store, some))
  // A store in this process never waits for anything, so all others would wait for the last batch.
  await nextTurn()
  return pending.length
}

const updateSeal = updateOnConflict(tables.seal)

/** Saves seals together with what a search finds of their formats. */
const saveFormats = (store: CatalogueStore, rows: readonly SealRow[]): Promise<void> =>
  store.db.transaction().execute(async (trx) => {
    await store.lockCards(trx)
    await insertRows(store, trx, { table: 'seal', rows, onConflict: updateSeal })
    await indexFormats(store, trx, rows)
  })

type LookupResult = { readonly pending: SealRow; readonly seal: Seal | undefined }

// A blob store that fails is retried like one that does not have the bundle.
const lookUp = async (readSeal: ReadSeal, pending: SealRow): Promise<LookupResult> => ({
  pending,
  seal: await readSeal(digest(hexOf(pending.digest))).catch(() => undefined),
})

function sealColumns(
  { pending, seal }: LookupResult,
  registry: Registry,
  now: number,
): Partial<SealRow> {
  const later = nextLookup(pending.looks, now)
  if (seal === undefined) return later
  const { context, contentHash, itemsRoot, excerpts, isAuthentic } = seal
  const isOurs =
    context.registry.chainId === registry.chainId &&
    sameAccount(context.registry.address, registry.address)
  return {
    ...(isAuthentic ? { state: 'found' } : later),
    sealedFor: isOurs ? bytesOf(context.creator) : nobodyOfOurs,
    sealedContent: bytesOf(contentHash),
    itemsRoot: itemsRoot === undefined ? null : bytesOf(itemsRoot),
    excerpts: excerpts === undefined ? null : JSON.stringify(excerpts),
    format: (excerpts && readFacts(excerpts).format) ?? null,
  }
}

/** The first and the longest delay before something missing is looked up again, in milliseconds. */
const [firstDelay, longestDelay] = [1000, 600_000]

/** Returns the columns of a failed lookup: the attempts so far, and the time of the next one. */
export function nextLookup(
  looks: number,
  now: number,
): { readonly looks: number; readonly lookAt: number } {
  const delay = Math.min(longestDelay, firstDelay * 2 ** Math.min(looks, 20))
  return { looks: looks + 1, lookAt: now + delay }
}

/** The number of rows per transaction: small, so that the event loop is not blocked for long. */
const writeSize = 8

/**
 * Writes rows, a few at a time, and gives the event loop a turn after each few: a store in this
 * process never waits for anything, so all others would wait until the last row is written.
 */
export async function writeInTurns<Row>(
  rows: readonly Row[],
  write: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let begin = 0; begin < rows.length; begin += writeSize) {
    await write(rows.slice(begin, begin + writeSize))
    await nextTurn()
  }
}
