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
import { type Bulk, bulk, short } from './crypto-worker.ts'
import { chunksOf, openChunks, payloadLength, sealedLength, sealer } from './chunks.ts'
import { readContext, writeContext } from './context-bytes.ts'
import { type Header, readHeader as readHeaderOf, sizes } from './envelope.ts'
import {
  type Drawn,
  type EnvelopeKeys,
  envelopeKeys,
  openHeader,
  openHidden,
  sealHeader,
  wipe,
} from './header-keys.ts'
import { broken, pack, unpack } from './payload.ts'
import type { Summed, Terms } from './seal-pieces.ts'
import { masterKeyId as idOfKey, sealingKeyRing as ringOf } from './sealing-key-ring.ts'
import type { SealingKeys } from './sealing-keys.ts'
import { loadSecretbox, type Secretbox } from './secretbox.ts'
import { unreadable } from './unreadable.ts'

export type { Header } from './envelope.ts'
export type { SealingKey, SealingKeys } from './sealing-keys.ts'

/**
 * Seals documents under the current one of several sealing keys; all of them open. Each bundle has
 * its own random data key, wrapped in its envelope, so a bundle needs nothing but its sealing key
 * to be read. Long documents are sealed and opened in a worker, which sees no sealing key.
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
  secretbox: given,
  random = randomBytes,
}: naclCipher.Input): Cipher {
  let secretbox = given
  const parts: Parts = {
    ...{ keys, documentLimit, random },
    // A start seals nothing, and should not wait for what it takes to load.
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
    /** Seals and opens the boxes; the fastest that loads here by default. */
    readonly secretbox?: Secretbox
    /** Draws random bytes of a length; from the system's source by default. */
    readonly random?: (length: number) => Uint8Array
  }
}

/** Reads the header of an envelope without a key: which key it needs, and what it was sealed for. */
export const readHeader = readHeaderOf

/** Makes a ring of sealing keys out of keys of 32 bytes: the first seals, all open. */
export const sealingKeyRing = ringOf

/** Returns the id that envelopes show of a key of a ring, in hexadecimal; it does not give it away. */
export const masterKeyId = idOfKey

type Parts = Required<naclCipher.Input>
type Sealed = Awaited<ReturnType<Cipher['seal']>>

async function seal(parts: Parts, document: Uint8Array, context: SealContext): Promise<Sealed> {
  const { documentLimit } = parts
  const { length } = document
  if (length > documentLimit) {
    throw new Failure('bundle/malformed', { problem: `it is longer than ${documentLimit} bytes` })
  }
  if (length > short) {
    const sealed = await sealBeside(parts, { document, context, compressed: true })
    // Noise; chunks that were not kept have used up the key and the nonces they were drawn with.
    return sealed ?? ((await sealBeside(parts, { document, context, compressed: false })) as Sealed)
  }
  const drawn = draw(parts.random)
  const { payload, compressed } = pack(document)
  const sealed = new Uint8Array(sizes.head + sealedLength(payload.length))
  const chunks = sealer(streamOf(parts, drawn), sealed.subarray(sizes.head))
  chunks.add(payload)
  chunks.end()
  const contentHash = hash(`0x${sumOf(drawn.salt, document)}`)
  putHeader(parts, { ...drawn, context, contentHash, compressed, length }, sealed)
  return { sealed, headLength: sizes.head, contentHash }
}

type Draw = Drawn & {
  readonly salt: Uint8Array
  readonly chunkPrefix: Uint8Array
  readonly keys: EnvelopeKeys
}

function draw(random: Parts['random']): Draw {
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

const streamOf = ({ secretbox }: Pick<Parts, 'secretbox'>, { keys, chunkPrefix }: Draw) => ({
  ...{ secretbox, chunkPrefix },
  key: keys.payload,
})

type Piecewise = Pick<Header, 'compressed'> & {
  readonly document: Uint8Array
  readonly context: SealContext
}

async function sealBeside(
  parts: Parts,
  { document, context, compressed }: Piecewise,
): Promise<Sealed | undefined> {
  const { length } = document
  const drawn = draw(parts.random)
  const stream = streamOf(parts, drawn)
  const job = jobOf('seal', { stream, salt: drawn.salt, compressed, length, sealed: 0 })
  const answer = await bulk.ask(job, { pieces: piecesOf(document) })
  if (answer === undefined) return undefined
  const contentHash = hash(`0x${answer.sum}`)
  putHeader(parts, { ...drawn, context, contentHash, compressed, length }, answer.bytes)
  return { sealed: answer.bytes, headLength: sizes.head, contentHash }
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sizes.chunk) yield bytes.subarray(at, at + sizes.chunk)
}

/** Puts the header before the chunks of an envelope, and wipes its keys. */
function putHeader(
  parts: Parts,
  {
    context,
    contentHash,
    compressed,
    length,
    ...drawn
  }: Draw & Omit<Piecewise, 'document'> & { readonly contentHash: Hash; readonly length: number },
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
      ...{ drawn, keys },
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
    const { salt: salted, documentLength: length } = openHidden(header, keys, secretbox)
    const chunks = sealed.subarray(header.length)
    const { sealedLength: promised, chunkPrefix, compressed } = header
    if (chunks.length !== promised) throw unreadable('it was cut short or prolonged')
    // All of the header is authenticated by now, and nothing of the payload is opened.
    refuseCopy(readContext(header.context), context)
    if (length > documentLimit) throw unreadable(`it holds more than ${documentLimit} bytes`)

    const stream = { secretbox, key: keys.payload, chunkPrefix }
    const terms = { stream, salt: salted, compressed, length, sealed: chunks.length }
    const { bytes: document, sum } = await openBody(terms, chunks)
    if (sum !== Buffer.from(header.contentHash).toString('hex')) throw broken()
    return { document, salt: salt(hex(salted)), contentHash: hash(`0x${sum}`) }
  } finally {
    wipe(keys)
  }
}

/** Reads the header of an envelope, and authenticates it where its sealing key is here. */
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
): Promise<Pick<Summed, 'sum'> & { readonly bytes: Uint8Array }> {
  if (Math.max(terms.length, payloadLength(chunks.length)) > short) {
    return (await bulk.ask(jobOf('open', terms), { pieces: boxesOf(chunks) })) as Summed
  }
  const { stream, salt, compressed, length } = terms
  // The salt goes before it at once: what is hashed is then in one piece, without a copy.
  const salted = Buffer.allocUnsafe(sizes.salt + payloadLength(chunks.length))
  salted.set(salt)
  const payload = salted.subarray(sizes.salt)
  openChunks(stream, chunks, payload)
  const bytes = unpack({ payload, compressed, length })
  return { bytes, sum: compressed ? sumOf(salt, bytes) : digestOf('sha256', salted) }
}

/** A view is sent with all the bytes it is a view of, so each part of a job is a copy. */
const jobOf = (kind: 'seal' | 'open', { stream, salt, ...terms }: Terms): Bulk.Sealing => ({
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

// For short documents a copy costs less than a hash that is fed twice.
const sumOf = (saltBytes: Uint8Array, document: Uint8Array): string =>
  digestOf('sha256', Buffer.concat([saltBytes, document]))

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`
