import { digest, type TitledToken, type TokenId } from '@heirloom/core'
import { decodeTokenId } from '../projection/stored-event.ts'
import { rowIdOf } from './decode-rows.ts'
import type { QueryContext } from './select-tokens.ts'

/** Reads the titles of the tokens that show a card. */
export async function readTitles(
  { db }: QueryContext,
  { tokenIds }: { readonly tokenIds: readonly TokenId[] },
): Promise<readonly TitledToken[]> {
  // An empty list is no SQL.
  if (tokenIds.length === 0) return []
  const rows = await db
    .selectFrom('token')
    .innerJoin('card', 'card.tokenId', 'token.source')
    .select(['token.id', 'token.digest', 'card.title'])
    .where('token.id', 'in', tokenIds.map(rowIdOf))
    .where('card.title', 'is not', null)
    .execute()
  return rows.map(({ id, digest: stored, title }) => ({
    tokenId: decodeTokenId(id),
    digest: digest(stored),
    title: `${title}`,
  }))
}
