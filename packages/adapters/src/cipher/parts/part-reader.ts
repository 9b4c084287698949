import { setImmediate } from 'node:timers/promises'
import type { BlobStore, Digest, DocumentReader, Segment } from '@heirloom/core'
import { memoize } from '../../platform/memoize.ts'
import type { Secretbox } from '../secretbox.ts'
import { openChunkOf } from './boxes.ts'
import { malformedList } from './list-bytes.ts'
import type { ChunkEntry } from './list-node.ts'
import type { ListRoot, PackFacts } from './list-root.ts'
import { readList } from './list-tree.ts'
import { heldWindows, packWindows, type WindowedPack } from './pack-windows.ts'

/** The bytes of memory that the list takes for a chunk, and the usual length of one in the document. */
const listed = { chunk: 512, usualLength: 5632 } as const

export declare namespace partReader {
  type Input = {
    readonly secretbox: Secretbox
    readonly list: ListRoot
    /** The packs, in the order of the list. */
    readonly digests: readonly Digest[]
    /** The length of the document in bytes. */
    readonly length: number
    readonly blobs: Pick<BlobStore, 'get'>
  }
}

/**
 * Returns a reader of a document in parts. It reads the packs with nodes at the first call, and of the
 * packs the stretches around the chunks that are read.
 */
export function partReader({
  secretbox,
  list,
  digests,
  length,
  blobs,
}: partReader.Input): DocumentReader {
  const packs = new Map(list.packs.map((facts, at) => [facts.tag, packOf(facts, digests[at])]))
  const read = packWindows(blobs)
  let count = Math.ceil(length / listed.usualLength)
  const chunks = memoize(async () => {
    const tags = list.packs.filter(({ hasNodes }) => hasNodes).map(({ tag }) => tag)
    const whole = await Promise.all(tags.map((tag) => blobs.get(requirePack(packs, tag).digest)))
    const packOf = (tag: number) => whole[tags.indexOf(tag)]
    const found = await readList(list, { secretbox, length, packOf, turn: setImmediate })
    count = found.chunks.length
    return found.chunks
  })
  return {
    length,
    held: () => count * listed.chunk + Math.min(length, heldWindows),
    segments: async () => segmentsOf(await chunks()),
    read: async (segment) => {
      const entry = (await chunks())[segment]
      if (entry === undefined) throw new RangeError(`The document has no segment ${segment}.`)
      return openChunkOf(secretbox, entry, await read(requirePack(packs, entry.tag), entry))
    },
  }
}

function packOf({ length }: PackFacts, digest: Digest | undefined): WindowedPack {
  if (digest === undefined) throw malformedList()
  return { digest, length }
}

function requirePack(packs: ReadonlyMap<number, WindowedPack>, tag: number): WindowedPack {
  const pack = packs.get(tag)
  if (pack === undefined) throw malformedList()
  return pack
}

function segmentsOf(chunks: readonly ChunkEntry[]): readonly Segment[] {
  let end = 0
  return chunks.map(({ length, from, survey }) => {
    end += length
    return { offset: end - length, length, from, survey }
  })
}
