import type { Conflict, Diff, Resolve } from '@heirloom/adapters/internal/diff/change'
import type { DownloadOptions, Memory } from './download.ts'
import { HeirloomError } from './heirloom-error.ts'
import type { Reads } from './reads.ts'
import type { TokenIdInput } from './requests.ts'
import type { CallOptions } from './transport/transport.ts'

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

/** A version of a memory: the id of its token, or the memory itself when it is here. */
export type VersionInput = TokenIdInput | Pick<Memory, 'document'>

/** The versions of a merge. */
export type MergeInput = {
  readonly ours: VersionInput
  readonly theirs: VersionInput
  /** The version that both come from; the nearest common ancestor of two tokens when absent. */
  readonly base?: VersionInput | undefined
  /**
   * Decides each conflict, or leaves it open. `both` decides only one kind: where both sides added
   * items to the same place of a list, it keeps both, ours first.
   */
  readonly resolve?: Resolve | 'both' | undefined
}

/** The result of a merge. */
export type Merged = {
  /** The merged document, in UTF-8; absent while there are conflicts. */
  readonly document?: Uint8Array<ArrayBuffer> | undefined
  /** The conflicts that are left. */
  readonly conflicts: readonly Conflict[]
  /** The token of the version that both come from; absent when the base was no token. */
  readonly base?: string | undefined
}

/** The calls that compare and merge versions here, after both were downloaded and verified. */
export type Versions = {
  /** Compares two versions of a memory, or any two memories. */
  readonly diff: (before: VersionInput, after: VersionInput, options?: CallOptions) => Promise<Diff>
  /** Merges what was changed on two sides since the version that both come from. */
  readonly merge: (input: MergeInput, options?: CallOptions) => Promise<Merged>
}

type Parts = {
  readonly download: (
    tokenId: TokenIdInput,
    options?: DownloadOptions,
  ) => Promise<Pick<Memory, 'document'>>
  readonly lineage: Reads['lineage']
}

/** Creates the calls that compare and merge. What compares is loaded at their first use. */
export function createVersions({ download, lineage }: Parts): Versions {
  const read = async (version: VersionInput, options?: CallOptions) =>
    decodeDocument(
      isToken(version) ? await download(version, { ...options, scan: 'never' }) : version,
    )
  return {
    diff: async (before, after, options) => {
      const texts = await Promise.all([read(before, options), read(after, options)])
      const { diffTexts } = await import('@heirloom/adapters/internal/diff/diff-documents')
      return translated(() => diffTexts(...texts))
    },
    merge: async ({ resolve, ...input }, options) => {
      const base = input.base ?? (await findCommonVersion(lineage, input, options))
      const sides = [base, input.ours, input.theirs].map((it) => read(it, options))
      const [was = '', ours = '', theirs = ''] = await Promise.all(sides)
      const { mergeTexts } = await import('@heirloom/adapters/internal/diff/merge-documents')
      const { keepBoth } = await import('@heirloom/adapters/internal/diff/change')
      const decide = resolve === 'both' ? keepBoth : resolve
      const merge = () => mergeTexts({ base: was, ours, theirs }, decide)
      const { text, conflicts } = translated(merge)
      const document = text === undefined ? undefined : new TextEncoder().encode(text)
      return { document, conflicts, base: isToken(base) ? `${base}` : undefined }
    },
  }
}

/** Compares or merges, and throws the error of the client for a text that is nested too deeply. */
function translated<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const { name, limit, message } = Object(cause)
    if (name !== 'TooDeep') throw cause
    throw new HeirloomError({ code: 'json/too-deep', facts: { limit }, message, cause })
  }
}

const isToken = (version: VersionInput): version is TokenIdInput => typeof version !== 'object'

/** Returns the text of a memory. */
export const decodeDocument = ({ document }: Pick<Memory, 'document'>): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(document)
