import { type Card, type Digest, digest, readCard, wordsOf } from '@heirloom/core'
import type { Database } from './schema.ts'
import { insert, type Store } from './store.ts'

/** Returns the bytes of a block; `undefined` when it is not here. */
export type Cards = (digest: Digest) => Promise<Uint8Array | undefined>

type Wanted = Pick<Database['card'], 'tokenId' | 'block' | 'digest' | 'looks'> & {
  readonly contentHash: string
}

/** How many cards are looked for at once. */
const atOnce = 64

/** How long a block that is not here is left alone, at first and at most, in milliseconds. */
const [firstPause, longestPause] = [1000, 600_000]

/** Looks for the blocks of cards that are due, and tells how many there were. */
export async function lookForCards(store: Store, cards: Cards, now: number): Promise<number> {
  const wanted = await wantedCards(store, now)
  const found = await Promise.all(wanted.map((card) => look(cards, card)))
  for (const [index, card] of wanted.entries()) await settle(store, card, found[index], now)
  return wanted.length
}

function wantedCards({ db }: Store, now: number): Promise<readonly Wanted[]> {
  return db
    .selectFrom('card')
    .innerJoin('token', 'token.id', 'card.tokenId')
    .select(['card.tokenId', 'card.block', 'card.digest', 'card.looks', 'token.contentHash'])
    .where('card.state', '=', 'wanted')
    .where('card.lookAt', '<=', now)
    .orderBy('card.lookAt')
    .limit(atOnce)
    .execute()
}

// A store that fails is asked again like one that has nothing.
const look = (cards: Cards, wanted: Wanted): Promise<Uint8Array | undefined> =>
  cards(digest(wanted.digest)).catch(() => undefined)

async function settle(
  store: Store,
  wanted: Wanted,
  bytes: Uint8Array | undefined,
  now: number,
): Promise<void> {
  if (bytes === undefined) return postpone(store, wanted, now)
  const read = readCard(bytes)
  const card = read?.contentHash === wanted.contentHash ? read.card : undefined
  await store.db.transaction().execute(async (trx) => {
    // A reorganisation may have taken the mint back, or given its number to another.
    const { numUpdatedRows } = await trx
      .updateTable('card')
      .set(card === undefined ? { state: 'refused' } : shown(card))
      .where('tokenId', '=', wanted.tokenId)
      .where('block', '=', wanted.block)
      .where('digest', '=', wanted.digest)
      .where('state', '=', 'wanted')
      .executeTakeFirst()
    if (numUpdatedRows !== 1n || card === undefined) return
    const { tokenId } = wanted
    const words = wordsOfCard(card).map((word) => ({ word, tokenId }))
    await insert(store, trx, { table: 'word', rows: words })
    const tags = [...new Set(card.tags)].map((tag) => ({ tag, tokenId }))
    await insert(store, trx, { table: 'tag', rows: tags })
  })
}

const shown = (card: Card) =>
  ({ state: 'shown', category: card.category ?? null, card: JSON.stringify(card) }) as const

async function postpone({ db }: Store, wanted: Wanted, now: number): Promise<void> {
  const pause = Math.min(longestPause, firstPause * 2 ** Math.min(wanted.looks, 20))
  await db
    .updateTable('card')
    .set({ looks: wanted.looks + 1, lookAt: now + pause })
    .where('tokenId', '=', wanted.tokenId)
    .where('state', '=', 'wanted')
    .execute()
}

function wordsOfCard({ title, description, tags, category }: Card): readonly string[] {
  const texts = [title, description, category, ...(tags ?? [])]
  return [...new Set(texts.flatMap((text) => wordsOf(text ?? '')))]
}
