import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { documentStart, type Salt, type ScanPoint, surveySegment } from '@heirloom/core'
import { releaseWholeBuffer } from '../../platform/release-buffer.ts'
import { type Commitment, commitTo } from '../commitment.ts'
import { mostPacks } from '../envelope.ts'
import type { Secretbox } from '../secretbox.ts'
import { releaseFrame, sealBox, shorten } from './boxes.ts'
import { type Cut, cutDocument, unchangedRuns } from './cut-document.ts'
import { keystream } from './cutter.ts'
import { type LastTerms, type LastVersion, openLast } from './last-version.ts'
import { lineKeysOf, partCodecs, textOf } from './line-keys.ts'
import { type Sealing, sealList } from './list-builder.ts'
import { type ChunkEntry, entrySizes } from './list-node.ts'
import { type PackFacts, writeRoot } from './list-root.ts'
import { type NewPack, packWriter } from './pack-writer.ts'

/** The parameters of sealing a document in parts. */
export type PartTerms = {
  readonly secretbox: Secretbox
  /** The document, whose buffer is released as soon as it is sealed. */
  readonly document: Uint8Array
  readonly salt: Salt
  /** The pointers of the excerpts to show. */
  readonly pointers: readonly string[]
  /** The key of the line, unless it goes on from the last version. */
  readonly lineKey: Uint8Array
  /** 32 random bytes, from which tags and padding are made. */
  readonly seed: Uint8Array
  /** Whether another version may share chunks: whether it is of a line. */
  readonly isShared: boolean
  /** The last version; absent in the first one. */
  readonly last?: LastTerms | undefined
}

/** A document that was sealed in parts. */
export type SealedParts = {
  /** Whether it goes on from the last version, under its line key. */
  readonly isContinued: boolean
  /** The packs to store. */
  readonly added: readonly Uint8Array<ArrayBuffer>[]
  /** The indices of the packs of the last version that this one goes on using. */
  readonly retained: readonly number[]
  /** The root, which names the retained packs and then the added ones. */
  readonly root: Uint8Array<ArrayBuffer>
  /** The sha256 of the salt and the document in hexadecimal. */
  readonly sum: string
  /** The commitment to the items of the document, if it has any. */
  readonly commitment: Commitment | undefined
}

/** A short document has one pack; a long one about this many. */
const usualPacks = 10
const leastPackLength = 1_048_576

/** The room for what changes as a rule, in bytes. */
const shortRoom = 16_384

/** The number of bytes after which other jobs have their turn. */
const turnLength = 1_048_576

/**
 * Seals a document in parts; whatever is wrong with the last version, it is sealed: then it shares
 * nothing. The packs with nodes of the last version come one by one.
 *
 * @throws `excerpt/not-in-memory`, `card/malformed` for excerpts
 */
export async function sealParts(
  terms: PartTerms,
  nodePacks: AsyncIterable<Uint8Array>,
): Promise<SealedParts> {
  const { document, isShared, pointers, salt, secretbox } = terms
  const last = await openLast(terms.last, { secretbox, nodePacks })
  const keys = lineKeysOf(last?.lineKey ?? terms.lineKey)
  const cuts = await cutDocument(document, { keys, last, isShared })
  const unchanged = last?.hasItems ? unchangedRuns(cuts, last) : []
  const commitment = commitTo({ document, salt, pointers, unchanged })
  const saltBytes = Buffer.from(salt.slice(2), 'hex')
  const sum = createHash('sha256').update(saltBytes).update(document).digest('hex')
  const writer = packWriter(packsOf(terms, last))
  const sealing = { keys, secretbox, writer, last }
  const chunks = await sealChunks(sealing, { document, cuts, last })
  releaseWholeBuffer(document)
  writer.startNodes()
  const { top, nodes } = sealList(sealing, chunks)
  const added = writer.end()
  const used = new Set([...chunks, ...nodes].map(({ tag }) => tag))
  const isRetained = ({ tag }: PackFacts) => last?.retained.has(tag) === true && used.has(tag)
  const packs = last?.packs ?? []
  const facts = [...packs.filter(isRetained), ...added.map(factsOf)]
  return {
    isContinued: last !== undefined,
    sum,
    commitment,
    added: added.map(({ bytes }) => bytes),
    retained: packs.flatMap((pack, at) => (isRetained(pack) ? [at] : [])),
    root: Uint8Array.from(writeRoot({ packs: facts, top })),
  }
}

function packsOf(
  { document, seed }: PartTerms,
  last: LastVersion | undefined,
): Parameters<typeof packWriter>[0] {
  const usualLength = Math.max(leastPackLength, Math.ceil(document.length / usualPacks))
  return {
    draws: keystream(seed),
    usualLength,
    firstRoom: last === undefined ? usualLength : shortRoom,
    most: mostPacks - (last?.retained.size ?? 0) - 1,
  }
}

const factsOf = ({ tag, hasNodes, bytes }: NewPack): PackFacts => ({
  tag,
  hasNodes,
  length: bytes.length,
})

type Input = Pick<PartTerms, 'document'> & {
  readonly cuts: readonly Cut[]
  readonly last: LastVersion | undefined
}

/** Seals the chunks that are new; returns the entries of all. */
async function sealChunks(
  sealing: Sealing,
  { document, cuts, last }: Input,
): Promise<readonly ChunkEntry[]> {
  const chunks: ChunkEntry[] = []
  // A document may hold a new chunk several times.
  const added = new Map<string, ChunkEntry>()
  let from = documentStart
  let [start, turn] = [0, turnLength]
  for (const cut of cuts) {
    const same = sameChunk(last, cut, from)
    const { entry, next } =
      same ?? sealChunk({ ...sealing, added, last }, document, { cut, start, from })
    chunks.push(entry)
    from = next
    start = cut.end
    if (start < turn) continue
    turn = start + turnLength
    await setImmediate()
  }
  return chunks
}

type Sealed = { readonly entry: ChunkEntry; readonly next: ScanPoint }

/** Returns the equal chunk of the last version, if it stood in the same state there. */
function sameChunk(
  last: LastVersion | undefined,
  { known }: Cut,
  from: ScanPoint,
): Sealed | undefined {
  const entry = usableChunk(last, known)
  const next = known === undefined ? undefined : last?.chunks[known + 1]?.from
  return entry && next && isSame(entry.from, from) ? { entry, next } : undefined
}

/** Returns a chunk of the last version, if its pack goes on being used. */
function usableChunk(
  last: LastVersion | undefined,
  known: number | undefined,
): ChunkEntry | undefined {
  const entry = known === undefined ? undefined : last?.chunks[known]
  return entry && last?.retained.has(entry.tag) ? entry : undefined
}

type ChunkSealing = Sealing & Pick<Input, 'last'> & { readonly added: Map<string, ChunkEntry> }

function sealChunk(
  { added, last, ...sealing }: ChunkSealing,
  document: Uint8Array,
  { cut, start, from }: { readonly cut: Cut; readonly start: number; readonly from: ScanPoint },
): Sealed {
  const { end, id, known } = cut
  const chunk = document.subarray(start, end)
  const { survey, next } = surveySegment(chunk, from)
  const placed =
    usableChunk(last, known) ??
    added.get(textOf(id)) ??
    place(sealing, { chunk, id, left: document.length - end })
  const { key, tag, offset, stored, length, compressed } = placed
  const entry = { id, key, tag, offset, stored, length, compressed, from, survey }
  added.set(textOf(id), entry)
  return { entry, next }
}

const isSame = (one: ScanPoint, other: ScanPoint) =>
  one.depth === other.depth && one.inString === other.inString && one.escaped === other.escaped

type NewChunk = {
  readonly chunk: Uint8Array
  readonly id: Uint8Array
  /** The number of bytes of the document that follow. */
  readonly left: number
}

function place(
  { keys, secretbox, writer }: Omit<Sealing, 'last'>,
  { chunk, id, left }: NewChunk,
): Omit<ChunkEntry, 'from' | 'survey'> {
  const frame = shorten(chunk)
  const message = frame ?? chunk
  const key = keys.keyOf(frame === undefined ? partCodecs.plain : partCodecs.zstd, message)
  const stored = message.length + entrySizes.overhead
  const { tag, offset, box } = writer.place(stored, left)
  sealBox(secretbox, { key, message, box })
  if (frame !== undefined) releaseFrame(frame, chunk)
  return { id, key, tag, offset, stored, length: chunk.length, compressed: frame !== undefined }
}
