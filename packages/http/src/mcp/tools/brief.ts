import type { Lineage, Page, Token } from '../../client/responses.ts'

/** How many descendants are told at most. */
const mostDescendants = 50

// Cards are the words of strangers, up to 16 KiB each, and a page of them would fill a context.

/** Returns a token without what its card tells at length. */
export function brief(token: Token): Token {
  if (token.card === null) return token
  const { description: _, preview: __, ...card } = token.card
  return { ...token, card }
}

/** Returns a page of such tokens. */
export const briefPage = ({ items, next }: Page<Token>): Page<Token> => ({
  items: items.map(brief),
  next,
})

/** Returns a lineage of such tokens, cut where there are many. */
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
