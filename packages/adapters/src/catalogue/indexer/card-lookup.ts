import { type Card, type Digest, decodeCard, digest } from '@heirloom/core'
import type { Transaction } from 'kysely'
import { addWords } from '../card-words.ts'
import { type CatalogueStore, insertRows } from '../catalogue-store.ts'
import { searchTerms } from '../full-text.ts'
import { type Database, pendingState } from '../schema.ts'
import { hexOf } from '../table.ts'
import { nextLookup, writeInTurns } from './seal-lookup.ts'

/** Reads the block of a card; returns `undefined` when the block cannot be found. */
export type ReadCardBlock = (digest: Digest) => Promise<Uint8Array | undefined>

type PendingCard = Pick<Database['card'], 'tokenId' | 'block' | 'digest' | 'looks'> & {
  readonly contentHash: Uint8Array
  /** The digest of its memory. */
  readonly sealed: Uint8Array
}

export declare namespace lookUpCards {
  type Input = {
    readonly readBlock: ReadCardBlock
    /** Returns whether a memory was erased; then its card is looked up no more. */
    readonly isErased: (digest: Digest) => boolean
  }
}

/** The number of cards per lookup. */
const batchSize = 64

/** Looks up the cards that are due at a time in milliseconds, and returns their number. */
export async function lookUpCards(
  store: CatalogueStore,
  input: lookUpCards.Input,
  now: number,
): Promise<number> {
  const pending = await pendingCards(store, now)
  const results = await Promise.all(pending.map((card) => lookUp(input, card)))
  await writeInTurns(results, (some) => saveResults(store, some, now))
  return pending.length
}

function pendingCards({ db }: CatalogueStore, now: number): Promise<readonly PendingCard[]> {
  return db
    .selectFrom('card')
    .innerJoin('token', 'token.id', 'card.tokenId')
    .select(['card.tokenId', 'card.block', 'card.digest', 'card.looks', 'token.contentHash'])
    .select('token.digest as sealed')
    .where('card.state', '=', pendingState)
    .where('card.lookAt', '<=', now)
    .orderBy('card.lookAt')
    .limit(batchSize)
    .execute()
}

type LookupResult = { readonly pending: PendingCard; readonly bytes: Uint8Array | undefined }

// A blob store that fails is retried like one that does not have the block.
async function lookUp(
  { readBlock, isErased }: lookUpCards.Input,
  pending: PendingCard,
): Promise<LookupResult> {
  // Empty bytes hold no card.
  if (isErased(digest(hexOf(pending.sealed)))) return { pending, bytes: new Uint8Array() }
  const bytes = await readBlock(digest(hexOf(pending.digest))).catch(() => undefined)
  return { pending, bytes }
}

type Trx = Transaction<Database>

async function saveResults(
  store: CatalogueStore,
  results: readonly LookupResult[],
  now: number,
): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    await store.lockCards(trx)
    for (const { pending, bytes } of results) {
      if (bytes === undefined) await postpone(trx, pending, now)
      else await saveCard(store, trx, { pending, bytes })
    }
    await store.mergeSearchIndex(trx)
  })
}

type FoundCard = { readonly pending: PendingCard; readonly bytes: Uint8Array }

async function saveCard(
  store: CatalogueStore,
  trx: Trx,
  { pending, bytes }: FoundCard,
): Promise<void> {
  const read = decodeCard(bytes)
  const card = read?.contentHash === hexOf(pending.contentHash) ? read.card : undefined
  // A reorganisation may have undone the mint, or given its id to another token.
  const { numUpdatedRows } = await trx
    .updateTable('card')
    .set(card === undefined ? { state: 'refused' } : shownColumns(card))
    .where('tokenId', '=', pending.tokenId)
    .where('block', '=', pending.block)
    .where('digest', '=', pending.digest)
    .where('state', '=', 'wanted')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n || card === undefined) return
  const { tokenId } = pending
  await trx.updateTable('token').set({ title: card.title }).where('source', '=', tokenId).execute()
  const seal = await trx
    .selectFrom('seal')
    .select('format')
    .where('digest', '=', pending.sealed)
    .executeTakeFirst()
  const terms = store.fullText.encodeTerms(searchTerms(card, seal?.format))
  await trx.insertInto('search').values({ rowid: tokenId, terms }).execute()
  const tags = [...new Set(card.tags)].map((tag) => ({ tag, tokenId }))
  await insertRows(store, trx, { table: 'tag', rows: tags })
  await addWords(store, trx, card)
}

const shownColumns = (card: Card) =>
  ({
    state: 'shown',
    title: card.title,
    category: card.category ?? null,
    card: JSON.stringify(card),
  }) as const

async function postpone(trx: Trx, pending: PendingCard, now: number): Promise<void> {
  await trx
    .updateTable('card')
    .set(nextLookup(pending.looks, now))
    .where('tokenId', '=', pending.tokenId)
    .where('state', '=', 'wanted')
    .execute()
}
