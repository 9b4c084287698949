import {
  type CataloguedToken,
  type Lineage,
  type LineagePart,
  linkOf,
  type Relative,
  type TokenId,
  trimCard,
} from '@heirloom/core'

const maxAncestors = 64
const maxDescendants = 500

/** Returns the ancestors and descendants of a token. */
export function lineageOf(
  tokens: readonly CataloguedToken[],
  tokenId: TokenId,
  { after = 0n as TokenId, limit = maxDescendants }: LineagePart = {},
): Lineage | undefined {
  const byId = new Map(tokens.map((token) => [token.tokenId, token]))
  const token = byId.get(tokenId)
  if (token === undefined) return undefined
  const ancestors = ancestorsOf(byId, token)
  const descendants = descendantsOf(tokens, tokenId).filter((it) => it.tokenId > after)
  return {
    ...relative(token),
    ancestors: ancestors.slice(0, maxAncestors).map(relative).map(trimCard),
    descendants: descendants.slice(0, limit).map(relative).map(trimCard),
    isCut: ancestors.length > maxAncestors || descendants.length > limit,
  }
}

function ancestorsOf(
  byId: ReadonlyMap<TokenId, CataloguedToken>,
  token: CataloguedToken,
): readonly CataloguedToken[] {
  const parent = token.parent && byId.get(token.parent)
  return parent ? [parent, ...ancestorsOf(byId, parent)] : []
}

/**
 * Returns all descendants in one pass in the order of ids, because a child has a higher id than its
 * parent.
 */
function descendantsOf(
  tokens: readonly CataloguedToken[],
  tokenId: TokenId,
): readonly CataloguedToken[] {
  const family = new Set([tokenId])
  const byId = tokens.toSorted((one, other) => (one.tokenId > other.tokenId ? 1 : -1))
  return byId.filter((token) => {
    const isDescendant = token.parent !== undefined && family.has(token.parent)
    if (isDescendant) family.add(token.tokenId)
    return isDescendant
  })
}

const relative = (token: CataloguedToken): Relative => ({ token, link: linkOf(token) })
