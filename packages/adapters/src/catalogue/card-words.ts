import { type Card, wordsByField } from '@heirloom/core'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { type CatalogueStore, insertRows } from './catalogue-store.ts'
import { searchTerms } from './full-text.ts'
import type { Database, SealRow } from './schema.ts'

/** Counts the words of a card that is shown from now on. */
export async function addWords(
  store: Pick<CatalogueStore, 'placeholder'>,
  trx: Kysely<Database>,
  card: Card,
): Promise<void> {
  const rows = [...wordsIn(card)].map((word) => ({ word, cards: 1 }))
  const onConflict = 'ON CONFLICT (word) DO UPDATE SET cards = word.cards + 1'
  await insertRows(store, trx, { table: 'word', rows, onConflict })
}

/** Lets the cards that are shown be found by the formats of their memories. */
export async function indexFormats(
  { fullText }: Pick<CatalogueStore, 'fullText'>,
  trx: Kysely<Database>,
  seals: readonly Pick<SealRow, 'digest' | 'format'>[],
): Promise<void> {
  for (const { digest, format } of seals) {
    const shown = await trx
      .selectFrom('card')
      .innerJoin('token', 'token.id', 'card.tokenId')
      .select(['card.tokenId', 'card.card'])
      .where('token.digest', '=', digest)
      .where('token.royaltyBps', 'is', null)
      .where('card.state', '=', 'shown')
      .execute()
    for (const { tokenId, card } of shown) {
      const terms = fullText.encodeTerms(searchTerms(JSON.parse(card ?? '') as Card, format))
      await trx.deleteFrom('search').where('rowid', '=', tokenId).execute()
      await trx.insertInto('search').values({ rowid: tokenId, terms }).execute()
    }
  }
}

/** Counts the words of the cards of some tokens no more; call it before the cards are removed. */
export async function removeWords(
  trx: Kysely<Database>,
  tokenIds: readonly number[] | SelectQueryBuilder<Database, 'card', { tokenId: number }>,
): Promise<void> {
  const rows = await trx
    .selectFrom('card')
    .select('card')
    .where('tokenId', 'in', tokenIds)
    .where('state', '=', 'shown')
    .execute()
  for (const { card } of rows) {
    if (card !== null) await removeCard(trx, JSON.parse(card) as Card)
  }
  if (rows.length > 0) await trx.deleteFrom('word').where('cards', '<=', 0).execute()
}

async function removeCard(trx: Kysely<Database>, card: Card): Promise<void> {
  const words = wordsIn(card)
  if (words.length === 0) return
  await trx.updateTable('word').set({ cards: sql`cards - 1` }).where('word', 'in', words).execute()
}

/** Returns the different words of a card. */
const wordsIn = (card: Card): readonly string[] => [...new Set(wordsByField(card).flat())]
