import { Failure } from '../failure.ts'
import { encodeUtf8 } from '../json/utf8.ts'
import type { Hash } from '../values/branded.ts'
import { misleadingText } from '../values/misleading-text.ts'
import type { Sha256 } from './hmac.ts'
import { type CommittedExcerpt, type Excerpt, type ItemsRoot, isUnderRoot } from './items-root.ts'
import type { Originality } from './seal-context.ts'

/** The limits of the excerpts of one memory: their number, and their bytes without the proofs. */
export const excerptLimits = { count: 16, bytes: 8192 } as const

/**
 * The excerpts that a memory shows to everybody, all under the root in its head.
 *
 * - `proven`: this server sealed the memory for the token's source, and computed the root itself
 * - `committed`: the head of the memory has the root; nobody here has compared it with the memory
 */
export type Sample = {
  readonly mark: 'proven' | 'committed'
  readonly root: Hash
  readonly excerpts: readonly CommittedExcerpt[]
}

/**
 * Returns the items at some pointers, with their proofs, to be shown to everybody.
 *
 * @throws `excerpt/not-in-memory`, `card/malformed` when there are too many, or the text of one could
 * mislead a reader
 */
export function chooseExcerpts<found extends Excerpt = CommittedExcerpt>(
  items: { readonly prove: (pointer: string) => found | undefined } | undefined,
  pointers: readonly string[],
): readonly found[] {
  if (new Set(pointers).size < pointers.length) refuse('it names an excerpt twice')
  if (pointers.length > excerptLimits.count) {
    refuse(`it has ${pointers.length} excerpts; at most ${excerptLimits.count} are allowed`)
  }
  const excerpts = pointers.map((pointer) => {
    const excerpt = items?.prove(pointer)
    if (excerpt === undefined) throw new Failure('excerpt/not-in-memory', { pointer })
    const problem = problemOf(excerpt)
    if (problem !== undefined) refuse(`its excerpt ${pointer} ${problem}`)
    return excerpt
  })
  const bytes = lengthOf(excerpts)
  if (bytes > excerptLimits.bytes) {
    refuse(`its excerpts take ${bytes} bytes; at most ${excerptLimits.bytes} are allowed`)
  }
  return excerpts
}

/**
 * Returns whether excerpts can be shown: within the limits, each under the root and without text
 * that could mislead. Anybody may have written them.
 */
export function areShowable(
  excerpts: readonly CommittedExcerpt[],
  root: Hash,
  sha256: Sha256,
): boolean {
  const { count, bytes } = excerptLimits
  if (excerpts.length > count || lengthOf(excerpts) > bytes) return false
  const pointers = new Set(excerpts.map(({ pointer }) => pointer))
  return (
    pointers.size === excerpts.length &&
    excerpts.every((it) => problemOf(it) === undefined && isUnderRoot(it, root, sha256))
  )
}

/**
 * Returns the sample of a token from the head of its memory; `undefined` when there are no excerpts, or
 * the token is a copy, whose excerpts say nothing of what it opens to.
 */
export function sampleOf(
  originality: Originality,
  { root, excerpts }: { readonly [part in 'root' | 'excerpts']?: Sample[part] | undefined },
): Sample | undefined {
  if (root === undefined || excerpts === undefined || originality === 'copied') return undefined
  return { mark: originality === 'unverified' ? 'committed' : 'proven', root, excerpts }
}

/**
 * Compares a sample with the memory that was opened. Returns the pointers of the excerpts that are
 * not in it, and whether its root is that of the memory; a maker who lied has at least one of both.
 */
export function compareSample(
  items: Pick<ItemsRoot, 'root' | 'prove'> | undefined,
  { root, excerpts }: { readonly root: string; readonly excerpts: readonly Excerpt[] },
): { readonly isRoot: boolean; readonly wrong: readonly string[] } {
  const wrong = excerpts.filter(({ pointer, value }) => items?.prove(pointer)?.value !== value)
  return { isRoot: items?.root === root, wrong: wrong.map(({ pointer }) => pointer) }
}

const lengthOf = (excerpts: readonly Excerpt[]): number =>
  excerpts.reduce((sum, { pointer, value }) => sum + bytesIn(pointer) + bytesIn(value), 0)

const bytesIn = (text: string) => encodeUtf8(text).length

/** Returns the problem of an excerpt that must not be shown. */
function problemOf({ pointer, value }: Excerpt): string | undefined {
  // White space between the parts of a value is no text.
  const problem = misleadingText(pointer) ?? misleadingText(value.replaceAll(/[\t\r\n]/g, ''))
  return problem ?? (isJson(value) ? undefined : 'is no JSON value')
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

function refuse(problem: string): never {
  throw new Failure('card/malformed', { problem })
}
