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
  if (source.link === 'fork') return undefined
  return source.creator
}

/** Returns whether an account created the source of a token. */
export const isSourceOf = (account: string | undefined, line: Line): boolean =>
  account !== undefined && sourceCreator(line)?.toLowerCase() === account.toLowerCase()

type Options = { readonly signal?: AbortSignal | undefined } | undefined

/** The reads that tell who created a memory. */
type Reads<Id> = {
  readonly lineage: (tokenId: Id, query: object, options: Options) => Promise<Line>
  readonly deployment: (
    options: Options,
  ) => Promise<{ readonly agent: string; readonly openActs: readonly string[] }>
}

/**
 * Returns whether a memory is one's own: the account created its source. The wallet of a server
 * with API keys creates what the holder of any of them writes, so nothing is its own.
 */
export async function isOwnMemory<Id>(
  account: string,
  { lineage, deployment }: Reads<Id>,
  tokenId: Id,
  options: Options,
): Promise<boolean> {
  const own = account.toLowerCase()
  const line = await lineage(tokenId, {}, options)
  if (sourceCreator(line)?.toLowerCase() !== own) return false
  const { agent, openActs } = await deployment(options)
  // Without API keys, and only then, everybody may snapshot.
  return openActs.includes('snapshot') || agent.toLowerCase() !== own
}
