import type { ScanPoint, Survey } from '@heirloom/core'
import {
  type ListReader,
  type ListWriter,
  listReader,
  listWriter,
  malformedList,
} from './list-bytes.ts'

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
 * Decodes a node; ids and keys are views of the bytes, and no members of their own of an entry.
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
    entries.push(level === 0 ? new ReadChunk(reader, tags) : new ReadPlace(reader, tags))
  }
  return { level, entries } as ListNode
}

function smallCount(reader: ListReader): number {
  const count = reader.number()
  if (count > 32) throw malformedList()
  return count
}

/**
 * An entry that was read. Its id and its key are made when they are used: the next version of a long
 * list needs few of the keys, and two views for each entry take longer to collect than all else.
 */
class ReadPlace implements Place {
  readonly tag: number
  readonly offset: number
  readonly stored: number
  readonly length: number
  /** The id, and behind it the key. */
  readonly #node: Buffer
  readonly #at: number

  constructor(reader: ListReader, tags: readonly number[]) {
    this.#node = reader.source
    this.#at = reader.skip(entrySizes.id + entrySizes.key)
    const tag = tags[reader.number()]
    this.offset = reader.number()
    this.stored = reader.number()
    this.length = reader.number()
    if (tag === undefined || this.stored < entrySizes.overhead || this.length === 0) {
      throw malformedList()
    }
    this.tag = tag
  }

  get id(): Buffer {
    return this.#node.subarray(this.#at, this.#at + entrySizes.id)
  }

  get key(): Buffer {
    const start = this.#at + entrySizes.id
    return this.#node.subarray(start, start + entrySizes.key)
  }
}

class ReadChunk extends ReadPlace implements ChunkEntry {
  readonly compressed: boolean
  readonly from: ScanPoint
  readonly survey: Survey

  constructor(reader: ListReader, tags: readonly number[]) {
    super(reader, tags)
    const flags = reader.number()
    this.compressed = (flags & 1) !== 0
    this.from = {
      inString: (flags & 2) !== 0,
      escaped: (flags & 4) !== 0,
      depth: unzigzag(reader.number()),
    }
    this.survey = { leastDepth: unzigzag(reader.number()), separators: reader.number() }
  }
}
