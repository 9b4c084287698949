/** Describes what the source of a token is found by. */
type Minted = {
  readonly tokenId: string
  readonly parent: string
  readonly link: 'fork' | 'declared' | null
  readonly creator: string
}

/** A token with its ancestors, nearest first. */
type Line = {
  readonly token: Minted
  readonly ancestors: readonly { readonly token: Minted }[]
}

/**
 * Returns the creator of the source of a token, the snapshot at the end of its chain of licensed
 * forks; `undefined` where too many forks are between.
 */
export function sourceCreator({ token, ancestors }: Line): string | undefined {
  let source = token
  for (const { token: ancestor } of ancestors) {
    if (source.link !== 'fork' || ancestor.tokenId !== source.parent) break
    source = ancestor
  }
  return source.link === 'fork' ? undefined : source.creator
}

/** Returns whether an account created the source of a token. */
export const isSourceOf = (account: string | undefined, line: Line): boolean =>
  account !== undefined && sourceCreator(line)?.toLowerCase() === account.toLowerCase()
