import { type Digest, digest } from '@heirloom/core'
import type { Transaction } from 'kysely'
import { removeWords } from './card-words.ts'
import type { CatalogueStore } from './catalogue-store.ts'
import type { Database } from './schema.ts'
import { bytesOf, hexOf } from './table.ts'

/**
 * Removes the cards and the excerpts of the tokens with some digests, with what a search finds of
 * them, and leaves out their listings from then on. Returns the digests of those blocks that held a
 * card of these tokens, and that no other token names: anyone can name any block as the card of a
 * token.
 */
export function forgetCards(
  { db, lockCards }: Pick<CatalogueStore, 'db' | 'lockCards'>,
  erased: readonly Digest[],
): Promise<readonly Digest[]> {
  const digests = erased.map(bytesOf)
  return db.transaction().execute(async (trx) => {
    await lockCards(trx)
    await trx
      .insertInto('erased')
      .values(digests.map((it) => ({ digest: it })))
      .onConflict((it) => it.doNothing())
      .execute()
    await removeExcerpts(trx, digests)
    const cards = await trx
      .selectFrom('card')
      .innerJoin('token', 'token.id', 'card.tokenId')
      .select(['card.tokenId', 'card.digest', 'card.state'])
      .where('token.digest', 'in', digests)
      .where('card.state', '!=', 'refused')
      .execute()
    if (cards.length === 0) return []
    await removeTexts(
      trx,
      cards.map(({ tokenId }) => tokenId),
    )
    const shown = cards.filter(({ state }) => state === 'shown').map((it) => hexOf(it.digest))
    return onlyTheirs(trx, [...new Set(shown)])
  })
}

type Trx = Transaction<Database>

async function removeExcerpts(trx: Trx, digests: readonly Uint8Array[]): Promise<void> {
  await trx
    .updateTable('seal')
    .set({ itemsRoot: null, excerpts: null, format: null })
    .where('digest', 'in', digests)
    .execute()
}

async function removeTexts(trx: Trx, tokenIds: readonly number[]): Promise<void> {
  await removeWords(trx, tokenIds)
  await trx
    .updateTable('card')
    .set({ state: 'refused', card: null, title: null, category: null })
    .where('tokenId', 'in', tokenIds)
    .execute()
  await trx.updateTable('token').set({ title: '' }).where('source', 'in', tokenIds).execute()
  await trx.deleteFrom('search').where('rowid', 'in', tokenIds).execute()
  await trx.deleteFrom('tag').where('tokenId', 'in', tokenIds).execute()
}

/** Returns those digests of cards that no token names whose card may still be shown. */
async function onlyTheirs(trx: Trx, cards: readonly string[]): Promise<readonly Digest[]> {
  if (cards.length === 0) return []
  const others = await trx
    .selectFrom('card')
    .select('digest')
    .where('digest', 'in', cards.map(bytesOf))
    .where('state', '!=', 'refused')
    .execute()
  const needed = new Set<string>(others.map((it) => hexOf(it.digest)))
  return cards.filter((it) => !needed.has(it)).map((it) => digest(it))
}
