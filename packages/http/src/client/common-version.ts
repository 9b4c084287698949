import { HeirloomError } from './heirloom-error.ts'
import type { Reads } from './reads.ts'
import type { TokenIdInput } from './requests.ts'
import type { CallOptions } from './transport/transport.ts'
import type { VersionInput } from './versions.ts'

/**
 * Finds the newest version that two versions come from, by the parents of their tokens. It is one of
 * the two when that is an ancestor of the other.
 *
 * @throws `client/no-common-version`
 */
export async function findCommonVersion(
  lineage: Reads['lineage'],
  { ours, theirs }: { readonly ours: VersionInput; readonly theirs: VersionInput },
  options?: CallOptions,
): Promise<string> {
  if (typeof ours === 'object' || typeof theirs === 'object') throw noCommonVersion(ours, theirs)
  const known = new Set<string>()
  for await (const id of line(lineage, ours, options)) known.add(id)
  for await (const id of line(lineage, theirs, options)) if (known.has(id)) return id
  throw noCommonVersion(ours, theirs)
}

/** Yields a token and its ancestors, nearest first. */
async function* line(
  lineage: Reads['lineage'],
  tokenId: TokenIdInput,
  options?: CallOptions,
): AsyncGenerator<string, void, undefined> {
  let next = `${tokenId}`
  // A parent was minted before its child; anything else would let a server send lines without end.
  for (let child: string | undefined; isBefore(next, child); ) {
    yield next
    const { token, ancestors } = await lineage(next, {}, options)
    child = next
    next = token.parent
    for (const { token: ancestor } of ancestors.slice(0, -1)) {
      if (ancestor.tokenId !== next || !isBefore(next, child)) break
      yield next
      child = next
      next = ancestor.parent
    }
  }
}

const isBefore = (tokenId: string, child: string | undefined): boolean =>
  tokenId !== '0' && (child === undefined || BigInt(tokenId) < BigInt(child))

function noCommonVersion(ours: VersionInput, theirs: VersionInput) {
  const name = (version: VersionInput) => (typeof version === 'object' ? 'a memory' : `${version}`)
  const facts = { ours: name(ours), theirs: name(theirs) }
  return new HeirloomError({
    code: 'client/no-common-version',
    facts,
    message: `${facts.ours} and ${facts.theirs} have no common ancestor; name the version that both come from as base.`,
  })
}
