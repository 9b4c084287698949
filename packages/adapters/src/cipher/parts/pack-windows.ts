import type { BlobStore, Digest } from '@heirloom/core'
import { lruCache } from '../../platform/lru-cache.ts'
import { malformedList } from './list-bytes.ts'
import type { Place } from './list-node.ts'

/** The head of a pack tells that the pack is there; a longer one would be read for nothing. */
export const packHead = 256

/** A store verifies a blob in blocks of this length in bytes, after its head. */
const windowLength = 1_048_576

/** A reader goes through a document in order, so that few windows are in use at a time. */
const cachedBytes = 8 * windowLength

/** The most bytes of windows that a reader holds: an LRU cache holds twice its limit. */
export const heldWindows = 2 * cachedBytes

/** A pack that is read in windows. */
export type WindowedPack = { readonly digest: Digest; readonly length: number }

/**
 * Returns a reader of places in packs. It reads a pack in windows of 1 MiB, and holds those that were
 * used last.
 */
export function packWindows(
  blobs: Pick<BlobStore, 'get'>,
): (pack: WindowedPack, place: Place) => Promise<Uint8Array> {
  type Window = { readonly bytes: Promise<Uint8Array>; readonly length: number }
  const windows = lruCache<string, Window>(cachedBytes, (it) => it.length)
  const windowOf = ({ digest, length }: WindowedPack, at: number): Promise<Uint8Array> => {
    const key = `${digest}/${at}`
    const start = startOf(at)
    const stretch = { offset: start, length: Math.min(startOf(at + 1), length) - start }
    const cached = windows.get(key)
    if (cached !== undefined) return cached.bytes
    const bytes = blobs.get(digest, stretch)
    windows.set(key, { bytes, length: stretch.length })
    bytes.catch(() => windows.delete(key))
    return bytes
  }
  return async (pack, { offset, stored }) => {
    const end = offset + stored
    if (end > pack.length) throw malformedList()
    const [first, last] = [windowAt(offset), windowAt(end - 1)]
    const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
    const read = await Promise.all(numbers.map((at) => windowOf(pack, at)))
    const bytes = read.length === 1 ? read[0] : Buffer.concat(read)
    const box = (bytes as Uint8Array).subarray(offset - startOf(first), end - startOf(first))
    // Its list may say that a pack is longer than it is.
    if (box.length !== stored) throw malformedList()
    return box
  }
}

const windowAt = (offset: number) => Math.max(0, Math.floor((offset - packHead) / windowLength))
const startOf = (at: number) => (at === 0 ? 0 : packHead + at * windowLength)
