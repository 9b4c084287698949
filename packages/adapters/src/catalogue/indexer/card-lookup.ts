import { setImmediate as turn } from 'node:timers/promises'
import { type Card, type Digest, decodeCard, digest } from '@heirloom/core'
import type { Transaction } from 'kysely'
import { termsOf } from '../full-text.ts'
import type { Database } from '../schema.ts'
import { insert, type Store } from '../store.ts'
import { nextLook } from './lookup-delay.ts'

/** Returns the bytes of a block; `undefined` when it is not here. */
export type Cards = (digest: Digest) => Promise<Uint8Array | undefined>

type Wanted = Pick<Database['card'], 'tokenId' | 'block' | 'digest' | 'looks'> & {
  readonly contentHash: string
}

/** How many cards are looked for at once. */
const atOnce = 64

/** How many are written together: so few that the event loop is not held up for long. */
const together = 8

/** Looks for the blocks of cards that are due, and tells how many there were. */
export async function lookForCards(store: Store, cards: Cards, now: number): Promise<number> {
  const wanted = await wantedCards(store, now)
  const found = await Promise.all(wanted.map((card) => look(cards, card)))
  for (let begin = 0; begin < found.length; begin += together) {
    await settle(store, found.slice(begin, begin + together), now)
    await turn()
  }
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

type Found = { readonly wanted: Wanted; readonly bytes: Uint8Array | undefined }

// A store that fails is asked again like one that has nothing.
const look = async (cards: Cards, wanted: Wanted): Promise<Found> => ({
  wanted,
  bytes: await cards(digest(wanted.digest)).catch(() => undefined),
})

type Trx = Transaction<Database>

async function settle(store: Store, found: readonly Found[], now: number): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    for (const { wanted, bytes } of found) {
      if (bytes === undefined) await postpone(trx, wanted, now)
      else await show(store, trx, { wanted, bytes })
    }
    await store.tidy(trx)
  })
}

type Here = { readonly wanted: Wanted; readonly bytes: Uint8Array }

async function show(store: Store, trx: Trx, { wanted, bytes }: Here): Promise<void> {
  const read = decodeCard(bytes)
  const card = read?.contentHash === wanted.contentHash ? read.card : undefined
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
  const terms = store.fullText.row(termsOf(card))
  await trx.insertInto('search').values({ rowid: tokenId, terms }).execute()
  const tags = [...new Set(card.tags)].map((tag) => ({ tag, tokenId }))
  await insert(store, trx, { table: 'tag', rows: tags })
}

const shown = (card: Card) =>
  ({ state: 'shown', category: card.category ?? null, card: JSON.stringify(card) }) as const

async function postpone(trx: Trx, wanted: Wanted, now: number): Promise<void> {
  await trx
    .updateTable('card')
    .set(nextLook(wanted.looks, now))
    .where('tokenId', '=', wanted.tokenId)
    .where('state', '=', 'wanted')
    .execute()
}
