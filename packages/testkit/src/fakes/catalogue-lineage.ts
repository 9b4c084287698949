import {
  type CataloguedToken,
  inShort,
  type Lineage,
  linkOf,
  type Relative,
  type TokenId,
} from '@heirloom/core'

const mostAncestors = 64
const mostDescendants = 500

/** Returns the kin of one of some tokens. */
export function lineageOf(
  tokens: readonly CataloguedToken[],
  tokenId: TokenId,
): Lineage | undefined {
  const known = new Map(tokens.map((token) => [token.tokenId, token]))
  const token = known.get(tokenId)
  if (token === undefined) return undefined
  const ancestors = ancestorsOf(known, token)
  const descendants = descendantsOf(tokens, tokenId)
  return {
    ...relative(token),
    ancestors: ancestors.slice(0, mostAncestors).map(relative).map(inShort),
    descendants: descendants.slice(0, mostDescendants).map(relative).map(inShort),
    isCut: ancestors.length > mostAncestors || descendants.length > mostDescendants,
  }
}

function ancestorsOf(
  known: ReadonlyMap<TokenId, CataloguedToken>,
  token: CataloguedToken,
): readonly CataloguedToken[] {
  const parent = token.parent && known.get(token.parent)
  return parent ? [parent, ...ancestorsOf(known, parent)] : []
}

/** A child is always younger than its parent, so one look in the order of ids finds all. */
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
