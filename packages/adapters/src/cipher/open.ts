import { hash as digestOf } from 'node:crypto'
import {
  type BlobStore,
  type BundleReader,
  type Cipher,
  type Digest,
  hash,
  refuseCopy,
  type SealContext,
  salt,
  wholeDocument,
} from '@heirloom/core'
import { releaseBuffer } from '../platform/release-buffer.ts'
import { chunksOf, openChunks, payloadLength } from './chunks.ts'
import { type CipherParts, openingOf, sha256Of } from './cipher-parts.ts'
import type { CryptoWorker } from './crypto-jobs.ts'
import { cryptoWorker, inlineLimit } from './crypto-worker.ts'
import { type Header, readContext, sizes } from './envelope.ts'
import { malformedList } from './parts/list-bytes.ts'
import { type ListRoot, readRoot } from './parts/list-root.ts'
import { readingOrder } from './parts/open-parts.ts'
import { partReader } from './parts/part-reader.ts'
import { mismatch, unpack } from './payload.ts'
import { digestsOf, openRoot } from './previous-version.ts'
import { readHeader } from './read-header.ts'
import { type EnvelopeKeys, openHeader, openHidden, wipe } from './sealed-header.ts'
import { unreadable } from './sections.ts'

/** A sealed document, the context that it is opened in, and the store of its packs. */
export type SealedDocument = {
  readonly sealed: Uint8Array
  readonly context: SealContext
  readonly blobs: Pick<BlobStore, 'get'>
}

/**
 * Opens a sealed document under any of the keys, in the context that it was sealed for.
 *
 * @throws `bundle/unreadable`, `access/copied`, and the failures of `get` for a pack
 */
export async function open(parts: CipherParts, input: SealedDocument): ReturnType<Cipher['open']> {
  const opened = openEnvelope(parts, input)
  try {
    return await openContent(parts, opened, input)
  } finally {
    wipe(opened.keys)
  }
}

async function openContent(
  parts: CipherParts,
  opened: OpenedHeader,
  input: SealedDocument,
): ReturnType<Cipher['open']> {
  const { header } = opened
  const openBytes = header.packs === undefined ? openBody : openPacks
  const { bytes: document, sum } = await openBytes(parts, opened, input)
  if (`0x${sum}` !== hashOf(header)) throw mismatch()
  return { document, salt: saltOf(opened), contentHash: hashOf(header) }
}

/**
 * Opens a sealed document to read it piece by piece.
 *
 * @throws `bundle/unreadable`, `access/copied`, and the failures of `get` for a pack
 */
export async function openReader(parts: CipherParts, input: SealedDocument): Promise<BundleReader> {
  const opened = openEnvelope(parts, input)
  const { header, keys, length } = opened
  try {
    if (header.packs === undefined) {
      const { document, ...facts } = await openContent(parts, opened, input)
      return { ...wholeDocument(document), ...facts }
    }
    const facts = { salt: saltOf(opened), contentHash: hashOf(header) }
    const { secretbox } = parts
    const { list } = listRootOf(parts, opened, input)
    const terms = { secretbox, list, length, digests: digestsOf(header), blobs: input.blobs }
    return { ...partReader(terms), ...facts }
  } finally {
    wipe(keys)
  }
}

/**
 * Returns the length of the sealed bundle that begins with a head. Unless the head is all of it,
 * authenticates it and compares its context.
 *
 * @throws `bundle/unreadable`, `access/copied`
 */
export function sealedLengthOf(
  parts: CipherParts,
  { head, context }: { readonly head: Uint8Array; readonly context: SealContext },
): number {
  const header = readHeader(head)
  const length = header.length + header.sealedLength
  if (head.length !== length) wipe(openAuthentic(parts, header, { context }).keys)
  return length
}

/** An authenticated header, and what it says. */
type OpenedHeader = {
  readonly header: Header
  readonly keys: EnvelopeKeys
  /** The bytes of the salt of the content hash. */
  readonly salt: Uint8Array
  /** The length of the document in bytes. */
  readonly length: number
}

function openEnvelope(parts: CipherParts, { sealed, context }: SealedDocument): OpenedHeader {
  const header = readHeader(sealed)
  return openAuthentic(parts, header, { context, sealedLength: sealed.length - header.length })
}

/** The context that a header must be of, and the number of bytes that follow it, where it is known. */
type Expected = { readonly context: SealContext; readonly sealedLength?: number }

/** Opens an authentic header as it is expected; nothing of the payload is opened yet. */
function openAuthentic(
  { keys: sealingKeys, secretbox, documentLimit }: CipherParts,
  header: Header,
  { context, sealedLength = header.sealedLength }: Expected,
): OpenedHeader {
  const keys = openHeader(header, { keys: sealingKeys, secretbox })
  try {
    const { salt, documentLength: length } = openHidden(header, keys, secretbox)
    if (sealedLength !== header.sealedLength) throw unreadable('it was cut short or prolonged')
    // The whole header is authenticated by now.
    refuseCopy(readContext(header.context), context)
    if (length > documentLimit) throw unreadable(`it holds more than ${documentLimit} bytes`)
    return { header, keys, salt, length }
  } catch (error) {
    wipe(keys)
    throw error
  }
}

const saltOf = ({ salt: bytes }: OpenedHeader) => salt(`0x${Buffer.from(bytes).toString('hex')}`)
const hashOf = ({ contentHash }: Header) => hash(`0x${Buffer.from(contentHash).toString('hex')}`)

type Content = { readonly bytes: Uint8Array; readonly sum: string }

async function openBody(
  { secretbox }: CipherParts,
  { header, keys, salt, length }: OpenedHeader,
  { sealed }: SealedDocument,
): Promise<Content> {
  const { chunkPrefix, compressed } = header
  const chunks = sealed.subarray(header.length)
  const stream = { secretbox, key: keys.payload, chunkPrefix }
  if (Math.max(length, payloadLength(chunks.length)) > inlineLimit) {
    const job = openingOf({ stream, salt, compressed, length, sealed: chunks.length })
    return contentOf(await cryptoWorker.ask(job, { pieces: boxesOf(chunks) }))
  }
  // Salt and payload share a buffer, so that they are hashed without a copy.
  const salted = Buffer.allocUnsafe(sizes.salt + payloadLength(chunks.length))
  salted.set(salt)
  const payload = salted.subarray(sizes.salt)
  openChunks(stream, chunks, payload)
  const bytes = unpack({ payload, compressed, length })
  return { bytes, sum: compressed ? sha256Of(salt, bytes) : digestOf('sha256', salted) }
}

function* boxesOf(chunks: Uint8Array): Generator<Uint8Array> {
  for (const { box } of chunksOf(chunks)) yield box
}

const contentOf = (answer: CryptoWorker.Answer): Content =>
  answer as CryptoWorker.ReadBytes & Content

async function openPacks(
  parts: CipherParts,
  opened: OpenedHeader,
  input: SealedDocument,
): Promise<Content> {
  const { root, list } = listRootOf(parts, opened, input)
  const { salt, length, header } = opened
  const job: CryptoWorker.OpeningParts = {
    kind: 'open-parts',
    secretbox: parts.secretbox.name,
    root: Uint8Array.from(root),
    salt: Uint8Array.from(salt),
    length,
  }
  const digests = readingOrder(list.packs).map((at) => digestsOf(header)[at] as Digest)
  const pieces = blobsOf(input.blobs, digests)
  return contentOf(await cryptoWorker.ask(job, { pieces, ahead: 1 }))
}

async function* blobsOf(
  blobs: SealedDocument['blobs'],
  digests: readonly Digest[],
): AsyncGenerator<Uint8Array> {
  for (const digest of digests) {
    const pack = await blobs.get(digest)
    yield pack
    // By then the worker has a copy. A shorter one may be that of a cache.
    if (pack.length > inlineLimit) releaseBuffer(pack)
  }
}

function listRootOf(
  { secretbox }: CipherParts,
  { header, keys }: OpenedHeader,
  { sealed }: SealedDocument,
): { readonly root: Uint8Array; readonly list: ListRoot } {
  const root = openRoot({ header, sealed, keys, secretbox })
  const list = readRoot(root)
  if (list.packs.length !== header.packs?.length) throw malformedList()
  return { root, list }
}
