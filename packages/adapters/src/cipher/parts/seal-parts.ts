import { createHash } from 'node:crypto'
import { documentStart, type ScanPoint, surveySegment } from '@heirloom/core'
import { releaseBuffer } from '../../platform/release-buffer.ts'
import { mostPacks } from '../envelope.ts'
import type { Secretbox } from '../secretbox.ts'
import { releaseFrame, sealBox, shorten } from './boxes.ts'
import { type Cutter, cutter, evenCutter } from './cutter.ts'
import { keystream } from './keystream.ts'
import { type KnownChunk, knownParts } from './known-parts.ts'
import { lineKeysOf, partCodecs } from './line-keys.ts'
import { type Sealing, sealList } from './list-builder.ts'
import { type ChunkEntry, entrySizes } from './list-node.ts'
import { type PackFacts, readRoot, writeRoot } from './list-root.ts'
import { type PartList, readList } from './list-tree.ts'
import { retainedPacks } from './pack-plan.ts'
import { type NewPack, packWriter } from './pack-writer.ts'

type Pieces = AsyncIterator<Uint8Array>

/** The parameters of sealing a document in parts, besides the pieces. */
export type PartTerms = {
  readonly secretbox: Secretbox
  readonly lineKey: Uint8Array
  /** 32 random bytes, from which tags and padding are made. */
  readonly seed: Uint8Array
  readonly salt: Uint8Array
  /** The length of the document in bytes. */
  readonly length: number
  /** Whether another version may share chunks: whether it is of a line. */
  readonly isShared: boolean
  /** The root of the last version, and the length of its document; absent in the first one. */
  readonly previous?: { readonly root: Uint8Array; readonly length: number } | undefined
}

/** A document that was sealed in parts. */
export type SealedParts = {
  /** The packs to store. */
  readonly added: readonly Uint8Array<ArrayBuffer>[]
  /** The indices of the packs of the last version that this one goes on using. */
  readonly retained: readonly number[]
  /** The root, which names the retained packs and then the added ones. */
  readonly root: Uint8Array<ArrayBuffer>
  /** The sha256 of the salt and the document in hexadecimal. */
  readonly sum: string
}

/** A short document has one pack; a long one about this many. */
const usualPacks = 10
const leastPackLength = 1_048_576

/** The room for what changes as a rule, in bytes. */
const shortRoom = 16_384

/**
 * Seals a document in parts. The pieces are the packs with nodes of the last version, if there is one,
 * and then the document.
 *
 * @throws `bundle/unreadable` when the last version does not open
 */
export async function sealParts(
  terms: PartTerms,
  input: AsyncIterable<Uint8Array>,
): Promise<SealedParts> {
  const pieces = input[Symbol.asyncIterator]()
  const { packs, list } = await readPrevious(terms, pieces)
  const retained = retainedPacks(packs, list === undefined ? [] : [...list.chunks, ...list.nodes])
  const usualLength = Math.max(leastPackLength, Math.ceil(terms.length / usualPacks))
  const writer = packWriter({
    draws: keystream(terms.seed),
    usualLength,
    firstRoom: list === undefined ? usualLength : shortRoom,
    most: mostPacks - retained.size - 1,
  })
  const keys = lineKeysOf(terms.lineKey)
  const sealing = { keys, secretbox: terms.secretbox, known: knownParts(list, retained), writer }
  const { chunks, sum } = await sealChunks(sealing, terms, pieces)
  writer.startNodes()
  const { top, nodes } = sealList(sealing, chunks)
  const added = writer.end()
  const used = new Set([...chunks, ...nodes].map(({ tag }) => tag))
  const facts = [
    ...packs.filter(({ tag }) => retained.has(tag) && used.has(tag)),
    ...added.map(factsOf),
  ]
  return {
    added: added.map(({ bytes }) => bytes),
    retained: packs.flatMap(({ tag }, at) => (retained.has(tag) && used.has(tag) ? [at] : [])),
    root: Uint8Array.from(writeRoot({ packs: facts, top })),
    sum,
  }
}

const factsOf = ({ tag, hasNodes, bytes }: NewPack): PackFacts => ({
  ...{ tag, hasNodes },
  length: bytes.length,
})

async function readPrevious({ previous, secretbox }: PartTerms, pieces: Pieces) {
  if (previous === undefined) return { packs: [], list: undefined }
  const root = readRoot(previous.root)
  const bytes = new Map<number, Uint8Array>()
  for (const { tag, hasNodes } of root.packs) {
    if (hasNodes) bytes.set(tag, (await pieces.next()).value)
  }
  const packOf = (tag: number) => bytes.get(tag)
  const list: PartList = await readList(root, { secretbox, packOf, length: previous.length })
  return { packs: root.packs, list }
}

async function sealChunks(sealing: Sealing, terms: PartTerms, pieces: Pieces) {
  const { salt, length, isShared } = terms
  const cut = isShared ? cutter(sealing.keys.cuts) : evenCutter
  const sum = createHash('sha256').update(salt)
  const state: SealState = { chunks: [], point: documentStart }
  // One buffer for all pieces: new memory costs more than the copy into it.
  let bytes: Uint8Array = Buffer.alloc(0)
  let left = 0
  for (let read = 0; read < length; ) {
    const piece: Uint8Array = (await pieces.next()).value
    sum.update(piece)
    read += piece.length
    const filled = left + piece.length
    if (filled > bytes.length) bytes = Buffer.concat([bytes.subarray(0, left)], filled + room)
    bytes.set(piece, left)
    releaseBuffer(piece)
    const isLast = read === length
    const end = sealPiece(sealing, state, { bytes: bytes.subarray(0, filled), cut, isLast })
    bytes.copyWithin(0, end, filled)
    left = filled - end
  }
  return { chunks: state.chunks, sum: sum.digest('hex') }
}

/** The chunks so far, and the state of the scan after them. */
type SealState = { readonly chunks: ChunkEntry[]; point: ScanPoint }

/** Bytes that begin with a chunk. */
type CutInput = { readonly bytes: Uint8Array; readonly cut: Cutter; readonly isLast: boolean }

/** The room for what is left of the piece before, in bytes. */
const room = 131_072

/** The number of bytes that are searched for cuts at a time: what follows may be as it was. */
const searched = 65_536

/**
 * Seals the chunks of bytes; returns the end of the last one. Where the last version goes on with the
 * same chunk, its end is known, so that only what changed is searched for cuts.
 */
function sealPiece(sealing: Sealing, state: SealState, { bytes, cut, isLast }: CutInput): number {
  const { keys, known } = sealing
  let start = 0
  const add = (end: number, id: Uint8Array) => {
    const { entry, next } = sealChunk(
      sealing,
      { chunk: bytes.subarray(start, end), id },
      state.point,
    )
    state.chunks.push(entry)
    state.point = next
    start = end
  }
  const addGuided = (): boolean => {
    const guide = known.following(state.chunks.at(-1)?.id)
    const end = start + (guide?.length ?? 0)
    if (guide === undefined || end > bytes.length) return false
    const id = keys.chunkId(bytes.subarray(start, end))
    const isSame = Buffer.compare(id, guide.id) === 0
    if (isSame) add(end, id)
    return isSame
  }
  const search = (): boolean => {
    const from = start
    const to =
      known.following() !== undefined ? Math.min(bytes.length, from + searched) : bytes.length
    for (const end of cut(bytes.subarray(from, to), isLast && to === bytes.length)) {
      add(from + end, keys.chunkId(bytes.subarray(start, from + end)))
      if (known.following(state.chunks.at(-1)?.id) !== undefined) break
    }
    return start > from
  }
  while (start < bytes.length && (addGuided() || search()));
  return start
}

type Sealed = { readonly entry: ChunkEntry; readonly next: ScanPoint }

function sealChunk(
  sealing: Sealing,
  { chunk, id }: { readonly chunk: Uint8Array; readonly id: Uint8Array },
  from: ScanPoint,
): Sealed {
  const known = sealing.known.chunk(id)
  if (known !== undefined) return surveyed(known, chunk, from)
  const { survey, next } = surveySegment(chunk, from)
  const entry = { ...place(sealing, chunk, id), from, survey }
  sealing.known.add({ entry, next })
  return { entry, next }
}

/** Returns a known chunk with its survey in this place of the document, which mostly is the same. */
function surveyed({ entry, next }: KnownChunk, chunk: Uint8Array, from: ScanPoint): Sealed {
  if (next !== undefined && isSame(entry.from, from)) return { entry, next }
  const scanned = surveySegment(chunk, from)
  return { entry: { ...entry, from, survey: scanned.survey }, next: scanned.next }
}

const isSame = (one: ScanPoint, other: ScanPoint) =>
  one.depth === other.depth && one.inString === other.inString && one.escaped === other.escaped

function place({ keys, secretbox, writer }: Sealing, chunk: Uint8Array, id: Uint8Array) {
  const frame = shorten(chunk)
  const message = frame ?? chunk
  const key = keys.keyOf(frame === undefined ? partCodecs.plain : partCodecs.zstd, message)
  const stored = message.length + entrySizes.overhead
  const { tag, offset, box } = writer.place(stored)
  sealBox(secretbox, { key, message, box })
  if (frame !== undefined) releaseFrame(frame, chunk)
  return { id, key, tag, offset, stored, length: chunk.length, compressed: frame !== undefined }
}
