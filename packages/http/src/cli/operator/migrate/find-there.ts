import type { RecordedToken } from '@heirloom/adapters/internal/migration'
import { sameAccount, type TokenId } from '@heirloom/core'

/** The tokens of the old registry that the new one has already. */
export type FoundThere = {
  /** Those that belong to the same owner, with their new ids. */
  readonly moved: ReadonlyMap<TokenId, TokenId>
  /** Those that belong to another owner there. */
  readonly disputed: ReadonlySet<TokenId>
}

/**
 * Finds old tokens in the new registry. A token is the same if its creator, who signed the mint in both,
 * and its content hash are; a licensed fork also if its parent is. A creator may mint a memory several
 * times; then they are matched in order.
 */
export function findThere(
  old: readonly RecordedToken[],
  there: readonly RecordedToken[],
  known: ReadonlyMap<TokenId, TokenId>,
): FoundThere {
  const moved = new Map(known)
  const disputed = new Set<TokenId>()
  const taken = new Set(known.values())
  const byName = Map.groupBy(there, (token) => nameOf(token, token.parent))
  const candidates = (token: RecordedToken): readonly RecordedToken[] => {
    const parent = token.parent && moved.get(token.parent)
    return (byName.get(nameOf(token, parent)) ?? []).filter((it) => !taken.has(it.tokenId))
  }
  for (const token of old.filter(({ tokenId }) => !moved.has(tokenId))) {
    const same = candidates(token)
    const own = same.find((it) => sameAccount(it.owner, token.owner))
    if (own === undefined && same.length > 0) disputed.add(token.tokenId)
    if (own === undefined) continue
    moved.set(token.tokenId, own.tokenId)
    taken.add(own.tokenId)
  }
  return { moved, disputed }
}

type Named = Pick<RecordedToken, 'creator' | 'contentHash' | 'royaltyBps'>

function nameOf({ creator, contentHash, royaltyBps }: Named, parent: TokenId | undefined): string {
  // A declared parent is not part of what a memory is: its creator may have left it out.
  const link = royaltyBps === undefined ? '' : `${parent ?? 'none'} ${royaltyBps}`
  return `${creator.toLowerCase()} ${contentHash} ${link}`
}
