import { hash as digestOf, randomBytes } from 'node:crypto'
import {
  type Cipher,
  Failure,
  type Hash,
  hash,
  isFailure,
  refuseCopy,
  type Seal,
  type SealContext,
  salt,
} from '@heirloom/core'
import { chunksOf, openChunks, payloadLength, sealedLength, sealer } from './chunks.ts'
import { readContext, writeContext } from './context-bytes.ts'
import { type CryptoWorker, cryptoWorker, inlineLimit } from './crypto-worker.ts'
import { type Header, readHeader as readHeaderOf, sizes } from './envelope.ts'
import {
  type EnvelopeKeys,
  envelopeKeys,
  openHeader,
  openHidden,
  type RandomParts,
  sealHeader,
  wipe,
} from './header-keys.ts'
import { mismatch, pack, unpack } from './payload.ts'
import type { HashedBytes, Terms } from './seal-pieces.ts'
import { masterKeyId as idOfKey, sealingKeyRing as ringOf } from './sealing-key-ring.ts'
import type { SealingKeys } from './sealing-keys.ts'
import { loadSecretbox, type Secretbox } from './secretbox.ts'
import { unreadable } from './unreadable.ts'

export type { Header } from './envelope.ts'
export type { SealingKey, SealingKeys } from './sealing-keys.ts'

/**
 * Seals documents under the current sealing key, and opens them under any of the keys. Each bundle
 * has its own random data key, wrapped in its envelope, so reading it needs only its sealing key.
 * Long documents are sealed and opened in a worker, which never sees a sealing key.
 *
 * @throws sealing: `bundle/malformed` when the document is longer than the limit
 *
 * @example
 * const keys = sealingKeyRing([randomBytes(32)])
 * const cipher = naclCipher({ keys, documentLimit: 64 * 1024 * 1024 })
 * const { sealed, contentHash } = await cipher.seal(document, { registry, creator })
 */
export function naclCipher({
  keys,
  documentLimit,
  secretbox: chosenSecretbox,
  random = randomBytes,
}: naclCipher.Input): Cipher {
  let secretbox = chosenSecretbox
  const parts: Parts = {
    ...{ keys, documentLimit, random },
    // Loaded at the first use, because it is not needed at start-up.
    get secretbox() {
      secretbox ??= loadSecretbox()
      return secretbox
    },
  }
  return {
    seal: (document, context) => seal(parts, document, context),
    open: (sealed, context) => open(parts, sealed, context),
    inspect: (head) => inspect(parts, head),
  }
}

export declare namespace naclCipher {
  type Input = {
    readonly keys: SealingKeys
    /** The longest document that is sealed or opened, in bytes. */
    readonly documentLimit: number
    /** The implementation of secretboxes; by default the fastest that loads. */
    readonly secretbox?: Secretbox
    /** Returns random bytes of a length; from the system's source by default. */
    readonly random?: (length: number) => Uint8Array
  }
}

/** Decodes the header of an envelope without a key, such as its sealing key id and its context. */
export const readHeader = readHeaderOf

/** Returns a key ring of keys of 32 bytes: the first seals, all open. */
export const sealingKeyRing = ringOf

/** Returns the id of a key that envelopes contain, in hexadecimal; it does not reveal the key. */
export const masterKeyId = idOfKey

type Parts = Required<naclCipher.Input>
type Sealed = Awaited<ReturnType<Cipher['seal']>>

async function seal(parts: Parts, document: Uint8Array, context: SealContext): Promise<Sealed> {
  const { documentLimit } = parts
  const { length } = document
  if (length > documentLimit) {
    throw new Failure('bundle/malformed', { problem: `it is longer than ${documentLimit} bytes` })
  }
  if (length > inlineLimit) {
    const sealed = await sealInWorker(parts, { document, context, compressed: true })
    // Incompressible. The discarded chunks used up their key and nonces, so it needs new ones.
    return (
      sealed ?? ((await sealInWorker(parts, { document, context, compressed: false })) as Sealed)
    )
  }
  const drawn = draw(parts.random)
  const { payload, compressed } = pack(document)
  const sealed = new Uint8Array(sizes.head + sealedLength(payload.length))
  const chunks = sealer(streamOf(parts, drawn), sealed.subarray(sizes.head))
  chunks.add(payload)
  chunks.end()
  const contentHash = hash(`0x${sha256Of(drawn.salt, document)}`)
  putHeader(parts, { ...drawn, context, contentHash, compressed, length }, sealed)
  return { sealed, headLength: sizes.head, contentHash }
}

type EnvelopeRandomness = RandomParts & {
  readonly salt: Uint8Array
  readonly chunkPrefix: Uint8Array
  readonly keys: EnvelopeKeys
}

function draw(random: Parts['random']): EnvelopeRandomness {
  const dataKey = random(sizes.key)
  return {
    dataKey,
    keys: envelopeKeys(dataKey),
    salt: random(sizes.salt),
    chunkPrefix: random(sizes.chunkPrefix),
    hiddenNonce: random(sizes.nonce),
    wrapSalt: random(sizes.wrapSalt),
    wrapNonce: random(sizes.nonce),
  }
}

const streamOf = (
  { secretbox }: Pick<Parts, 'secretbox'>,
  { keys, chunkPrefix }: EnvelopeRandomness,
) => ({
  ...{ secretbox, chunkPrefix },
  key: keys.payload,
})

type Piecewise = Pick<Header, 'compressed'> & {
  readonly document: Uint8Array
  readonly context: SealContext
}

async function sealInWorker(
  parts: Parts,
  { document, context, compressed }: Piecewise,
): Promise<Sealed | undefined> {
  const { length } = document
  const drawn = draw(parts.random)
  const stream = streamOf(parts, drawn)
  const job = jobOf('seal', { stream, salt: drawn.salt, compressed, length, sealed: 0 })
  const answer = await cryptoWorker.ask(job, { pieces: piecesOf(document) })
  if (answer === undefined) return undefined
  const contentHash = hash(`0x${answer.sum}`)
  putHeader(parts, { ...drawn, context, contentHash, compressed, length }, answer.bytes)
  return { sealed: answer.bytes, headLength: sizes.head, contentHash }
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sizes.chunk) yield bytes.subarray(at, at + sizes.chunk)
}

/** Writes the header before the chunks of an envelope, and wipes its keys. */
function putHeader(
  parts: Parts,
  {
    context,
    contentHash,
    compressed,
    length,
    ...drawn
  }: EnvelopeRandomness &
    Omit<Piecewise, 'document'> & { readonly contentHash: Hash; readonly length: number },
  envelope: Uint8Array,
): void {
  const { chunkPrefix, keys, salt } = drawn
  const header = sealHeader(
    {
      bound: {
        context: writeContext(context),
        contentHash: Buffer.from(contentHash.slice(2), 'hex'),
        ...{ compressed, chunkPrefix, sealedLength: envelope.length - sizes.head },
      },
      hidden: { salt, documentLength: length },
      ...{ randomParts: drawn, keys },
    },
    { sealingKey: parts.keys.current(), secretbox: parts.secretbox },
  )
  envelope.set(header)
  wipe(keys, drawn.dataKey)
}

async function open(
  parts: Parts,
  sealed: Uint8Array,
  context: SealContext,
): ReturnType<Cipher['open']> {
  const { secretbox, documentLimit } = parts
  const header = readHeaderOf(sealed)
  const keys = openHeader(header, parts)
  try {
    const { salt: saltBytes, documentLength: length } = openHidden(header, keys, secretbox)
    const chunks = sealed.subarray(header.length)
    const { sealedLength: expectedLength, chunkPrefix, compressed } = header
    if (chunks.length !== expectedLength) throw unreadable('it was cut short or prolonged')
    // The whole header is authenticated by now, and nothing of the payload is opened yet.
    refuseCopy(readContext(header.context), context)
    if (length > documentLimit) throw unreadable(`it holds more than ${documentLimit} bytes`)

    const stream = { secretbox, key: keys.payload, chunkPrefix }
    const terms = { stream, salt: saltBytes, compressed, length, sealed: chunks.length }
    const { bytes: document, sum } = await openBody(terms, chunks)
    if (sum !== Buffer.from(header.contentHash).toString('hex')) throw mismatch()
    return { document, salt: salt(hex(saltBytes)), contentHash: hash(`0x${sum}`) }
  } finally {
    wipe(keys)
  }
}

/** Decodes the header of an envelope, and authenticates it if its sealing key is present. */
function inspect(parts: Parts, head: Uint8Array): Seal {
  const header = readHeaderOf(head)
  return {
    context: readContext(header.context),
    contentHash: hash(hex(header.contentHash)),
    isAuthentic: isAuthentic(parts, header),
  }
}

function isAuthentic(parts: Parts, header: Header): boolean {
  try {
    const keys = openHeader(header, parts)
    openHidden(header, keys, parts.secretbox)
    wipe(keys)
    return true
  } catch (error) {
    if (isFailure(error, 'bundle/unreadable')) return false
    throw error
  }
}

async function openBody(
  terms: Terms,
  chunks: Uint8Array,
): Promise<Pick<HashedBytes, 'sum'> & { readonly bytes: Uint8Array }> {
  if (Math.max(terms.length, payloadLength(chunks.length)) > inlineLimit) {
    return (await cryptoWorker.ask(jobOf('open', terms), {
      pieces: boxesOf(chunks),
    })) as HashedBytes
  }
  const { stream, salt, compressed, length } = terms
  // Salt and payload share a buffer, so that they are hashed without a copy.
  const salted = Buffer.allocUnsafe(sizes.salt + payloadLength(chunks.length))
  salted.set(salt)
  const payload = salted.subarray(sizes.salt)
  openChunks(stream, chunks, payload)
  const bytes = unpack({ payload, compressed, length })
  return { bytes, sum: compressed ? sha256Of(salt, bytes) : digestOf('sha256', salted) }
}

/** Returns the job for the worker. Its parts are copies: a view would be sent with its whole buffer. */
const jobOf = (kind: 'seal' | 'open', { stream, salt, ...terms }: Terms): CryptoWorker.Sealing => ({
  ...terms,
  kind,
  secretbox: stream.secretbox.name,
  key: Uint8Array.from(stream.key),
  chunkPrefix: Uint8Array.from(stream.chunkPrefix),
  salt: Uint8Array.from(salt),
})

function* boxesOf(chunks: Uint8Array): Generator<Uint8Array> {
  for (const { box } of chunksOf(chunks)) yield box
}

// For short documents a copy is faster than an incremental hash.
const sha256Of = (saltBytes: Uint8Array, document: Uint8Array): string =>
  digestOf('sha256', Buffer.concat([saltBytes, document]))

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`
