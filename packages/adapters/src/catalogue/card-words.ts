import { type Card, wordsByField } from '@heirloom/core'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { type CatalogueStore, insertRows } from './catalogue-store.ts'
import type { Database } from './schema.ts'

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
