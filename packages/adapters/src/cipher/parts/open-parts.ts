import { createHash } from 'node:crypto'
import { releaseBuffer } from '../../platform/release-buffer.ts'
import type { HashedBytes } from '../open-pieces.ts'
import type { Secretbox } from '../secretbox.ts'
import { boxAt, openChunkOf, releaseChunk } from './boxes.ts'
import { malformedList } from './list-bytes.ts'
import { type PackFacts, readRoot } from './list-root.ts'
import { readList } from './list-tree.ts'

/** The parameters of opening a document that was sealed in parts, besides its packs. */
export type OpenTerms = {
  readonly secretbox: Secretbox
  readonly root: Uint8Array
  readonly salt: Uint8Array
  /** The length of the document in bytes. */
  readonly length: number
}

/** Returns the indices of packs in the order in which they are read: first those with nodes. */
export function readingOrder(packs: readonly PackFacts[]): readonly number[] {
  const all = [...packs.keys()]
  const hasNodes = (at: number) => packs[at]?.hasNodes === true
  return [...all.filter(hasNodes), ...all.filter((at) => !hasNodes(at))]
}

/**
 * Opens a document whose packs come one by one, in the reading order.
 *
 * @throws `bundle/unreadable`
 */
export async function openParts(
  { secretbox, root: rootBytes, salt, length }: OpenTerms,
  input: AsyncIterable<Uint8Array>,
): Promise<HashedBytes> {
  const root = readRoot(rootBytes)
  const pieces = input[Symbol.asyncIterator]()
  const order = readingOrder(root.packs).map((at) => root.packs[at] as PackFacts)
  const early = new Map<number, Uint8Array>()
  for (const { tag } of order.filter(({ hasNodes }) => hasNodes)) {
    early.set(tag, (await pieces.next()).value)
  }
  const { chunks } = await readList(root, { secretbox, packOf: (tag) => early.get(tag), length })
  const document = new Uint8Array(length)
  const byPack = Map.groupBy(placed(chunks), ({ entry }) => entry.tag)
  for (const { tag, hasNodes } of order) {
    const pack: Uint8Array = hasNodes ? early.get(tag) : (await pieces.next()).value
    for (const { entry, start } of byPack.get(tag) ?? []) {
      const chunk = openChunkOf(secretbox, entry, boxAt(entry, pack))
      document.set(chunk, start)
      releaseChunk(chunk, entry)
    }
    byPack.delete(tag)
    releaseBuffer(pack)
  }
  if (byPack.size > 0) throw malformedList()
  return { bytes: document, sum: createHash('sha256').update(salt).update(document).digest('hex') }
}

/** Returns the entries, each with its place in the document. */
function placed<entry extends { readonly length: number }>(entries: readonly entry[]) {
  let end = 0
  return entries.map((entry) => {
    end += entry.length
    return { entry, start: end - entry.length }
  })
}
