import type { Lineage, Page, Token } from '../../client/responses.ts'

/** The most descendants in one result. */
const mostDescendants = 50

// A card has up to 16 KiB, so a page of whole cards would fill the context of a model.

/** Removes the long texts of the card and of the sample of a token. */
export function brief(token: Token): Token {
  const sample = token.sample && { ...token.sample, excerpts: [] }
  if (token.card === null) return { ...token, sample }
  const { description: _, preview: __, ...card } = token.card
  return { ...token, card, sample }
}

/** Removes the long texts of the cards of a page. */
export const briefPage = ({ items, next }: Page<Token>): Page<Token> => ({
  items: items.map(brief),
  next,
})

/** Removes the long texts of the cards of a lineage, and all but the first descendants. */
export function briefLineage({ token, ancestors, descendants, isCut, ...rest }: Lineage): Lineage {
  return {
    ...rest,
    token: brief(token),
    ancestors: ancestors.map(briefRelative),
    descendants: descendants.slice(0, mostDescendants).map(briefRelative),
    isCut: isCut || descendants.length > mostDescendants,
  }
}

const briefRelative = ({ token, link }: Lineage['ancestors'][number]) => ({
  token: brief(token),
  link,
})
