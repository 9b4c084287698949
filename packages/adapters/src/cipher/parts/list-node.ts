import type { ScanPoint, Survey } from '@heirloom/core'
import { type ListReader, type ListWriter, listReader, listWriter } from './list-bytes.ts'
import { malformedList } from './malformed-list.ts'

/** The place and the key of sealed bytes in a pack. */
export type Place = {
  /** 16 bytes, equal for equal content of one line; they are never shown outside. */
  readonly id: Uint8Array
  /** 32 bytes. */
  readonly key: Uint8Array
  /** Names the pack within its line: a random number of 32 bits. */
  readonly tag: number
  /** The position of the sealed bytes in the pack. */
  readonly offset: number
  /** The number of the sealed bytes. */
  readonly stored: number
  /** The number of bytes of the document that it covers. */
  readonly length: number
}

/** A chunk of the document. */
export type ChunkEntry = Place & {
  readonly compressed: boolean
  readonly from: ScanPoint
  readonly survey: Survey
}

/** A node of the list, one level below. */
export type NodeEntry = Place

/** A node: its chunks, or nodes one level below. */
export type ListNode =
  | { readonly level: 0; readonly entries: readonly ChunkEntry[] }
  | { readonly level: number; readonly entries: readonly NodeEntry[] }

/** The lengths of parts of an entry, in bytes. */
export const entrySizes = { id: 16, key: 32, tag: 4, overhead: 16 } as const

/** More levels than any document of this version can need. */
const mostLevels = 16

/**
 * Encodes a node: its level, the tags of its packs, and for each entry its id, its key, the index of
 * its pack, offset, stored length and length; of a chunk also its scan and its survey.
 */
export function writeNode({ level, entries }: ListNode): Buffer {
  const writer = listWriter()
  const tags = [...new Set(entries.map(({ tag }) => tag))]
  writer.number(level)
  writer.number(tags.length)
  for (const tag of tags) writer.bytes(tagBytes(tag))
  for (const entry of entries) {
    writePlace(writer, entry, tags.indexOf(entry.tag))
    if ('survey' in entry) writeScan(writer, entry)
  }
  return writer.end()
}

const tagBytes = (tag: number): Buffer => {
  const bytes = Buffer.allocUnsafe(entrySizes.tag)
  bytes.writeUInt32BE(tag)
  return bytes
}

function writePlace(writer: ListWriter, place: Place, pack: number): void {
  const { id, key, offset, stored, length } = place
  writer.bytes(id)
  writer.bytes(key)
  for (const value of [pack, offset, stored, length]) writer.number(value)
}

function writeScan(writer: ListWriter, { compressed, from, survey }: ChunkEntry): void {
  const flags = [compressed, from.inString, from.escaped]
  writer.number(flags.reduce((bits, flag, at) => bits + (flag ? 1 << at : 0), 0))
  writer.number(zigzag(from.depth))
  writer.number(zigzag(survey.leastDepth))
  writer.number(survey.separators)
}

// A document that is no JSON may close more than it opened.
const zigzag = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value)
const unzigzag = (value: number) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

/**
 * Decodes a node; ids and keys are views of the bytes.
 *
 * @throws `bundle/unreadable`
 */
export function readNode(bytes: Uint8Array): ListNode {
  const reader = listReader(bytes)
  const level = reader.number()
  if (level > mostLevels) throw malformedList()
  const tags = Array.from({ length: smallCount(reader) }, () =>
    reader.bytes(entrySizes.tag).readUInt32BE(),
  )
  const entries: (Place | ChunkEntry)[] = []
  while (!reader.isAtEnd()) {
    const place = readPlace(reader, tags)
    entries.push(level === 0 ? readChunk(reader, place) : place)
  }
  return { level, entries } as ListNode
}

function smallCount(reader: ListReader): number {
  const count = reader.number()
  if (count > 32) throw malformedList()
  return count
}

function readPlace(reader: ListReader, tags: readonly number[]): Place {
  const id = reader.bytes(entrySizes.id)
  const key = reader.bytes(entrySizes.key)
  const tag = tags[reader.number()]
  const [offset, stored, length] = [reader.number(), reader.number(), reader.number()]
  if (tag === undefined || stored < entrySizes.overhead || length === 0) throw malformedList()
  return { id, key, tag, offset, stored, length }
}

// Members one by one, as a long list has tens of thousands of chunks: to spread objects takes longer.
function readChunk(
  reader: ListReader,
  { id, key, tag, offset, stored, length }: Place,
): ChunkEntry {
  const flags = reader.number()
  return {
    id,
    key,
    tag,
    offset,
    stored,
    length,
    compressed: (flags & 1) !== 0,
    from: {
      inString: (flags & 2) !== 0,
      escaped: (flags & 4) !== 0,
      depth: unzigzag(reader.number()),
    },
    survey: { leastDepth: unzigzag(reader.number()), separators: reader.number() },
  }
}
