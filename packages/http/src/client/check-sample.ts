import { compareSample, itemsRoot, salt } from '@heirloom/core'
import { sha256Fallback } from './content-hash.ts'
import type { Memory } from './download.ts'
import type { Reads } from './reads.ts'

/** The comparison of the excerpts that a maker shows with the memory that was opened. */
export type SampleCheck = {
  /** The mark that the server gave them before. */
  readonly mark: 'proven' | 'committed'
  /** Whether all of them are in the memory, under the root that was computed anew. */
  readonly isTrue: boolean
  /** The JSON pointers of those that are not in the memory. */
  readonly wrong: readonly string[]
}

export declare namespace checkSample {
  type Options = {
    readonly signal?: AbortSignal | undefined
    /** Returns the SHA-256 of bytes; a slow one in JavaScript when absent. */
    readonly sha256?: ((bytes: Uint8Array) => Uint8Array) | undefined
  }
}

/**
 * Computes the root over the values of an opened memory anew, and compares it and the excerpts with
 * those that its maker shows; `undefined` without excerpts.
 */
export async function checkSample(
  { excerpts: read }: Pick<Reads, 'excerpts'>,
  memory: Pick<Memory, 'tokenId' | 'document' | 'salt'>,
  { signal, sha256 = sha256Fallback }: checkSample.Options = {},
): Promise<SampleCheck | undefined> {
  const { mark, root, excerpts } = await read(memory.tokenId, { signal })
  if (mark === null || root === null) return undefined
  const items = itemsRoot(memory.document, { salt: salt(memory.salt), sha256 })
  const { isRoot, wrong } = compareSample(items, { root, excerpts })
  return { mark, isTrue: isRoot && wrong.length === 0, wrong }
}

/** Returns a sentence on a sample that was false, for the people who opened the memory. */
export function describeLie({ wrong }: SampleCheck): string {
  const what =
    wrong.length === 0
      ? 'its root is not that of this memory'
      : `${wrong.join(', ')} ${wrong.length === 1 ? 'is' : 'are'} not in it as shown`
  return `The public sample of this memory is false: ${what}. Its creator showed something else than was sealed.`
}
