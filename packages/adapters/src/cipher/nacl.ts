import { hash as digestOf, randomBytes } from 'node:crypto'
import { type Cipher, Failure, hash, salt } from '@heirloom/core'
import { type Bulk, bulk, short } from '../bulk.ts'
import { chunksOf, openChunks, payloadLength, sealedLength, sealer } from './chunks.ts'
import {
  type Head,
  keyIdOf,
  readHead,
  readSecrets,
  type Secrets,
  sizes,
  writeClear,
  writeSecrets,
} from './envelope.ts'
import { type KeyRing, keyRing } from './key-ring.ts'
import { pack, unpack } from './payload.ts'
import type { Summed, Terms } from './pieces.ts'
import { loadSecretbox, type Secretbox } from './secretbox.ts'
import { unreadable } from './unreadable.ts'

/**
 * Seals documents under a ring of master keys: the first seals, all open. Each bundle has its own
 * random data key, wrapped in its envelope, so a bundle needs nothing but the ring to be read.
 * Long documents are sealed and opened in a thread, which never sees the ring.
 *
 * @throws `value/invalid` when the ring is empty or a key is not 32 bytes;
 * sealing: `bundle/malformed` when the document is longer than the limit
 *
 * @example
 * const cipher = naclCipher({ keys: [randomBytes(32)], documentLimit: 64 * 1024 * 1024 })
 * const { sealed, contentHash } = await cipher.seal(document)
 */
export function naclCipher({
  keys,
  documentLimit,
  secretbox: given,
  random = randomBytes,
}: naclCipher.Input): Cipher {
  let secretbox = given
  const parts: Parts = {
    ...{ ring: keyRing(keys), documentLimit, random },
    // A start seals nothing, and should not wait for what it takes to load.
    get secretbox() {
      secretbox ??= loadSecretbox()
      return secretbox
    },
  }
  return {
    seal: (document) => seal(parts, document),
    open: (sealed) => open(parts, sealed),
  }
}

export declare namespace naclCipher {
  type Input = {
    /** Master keys of 32 bytes each. */
    readonly keys: readonly Uint8Array[]
    /** The longest document that is sealed or opened, in bytes. */
    readonly documentLimit: number
    /** Who does the arithmetic; the fastest that loads here by default. */
    readonly secretbox?: Secretbox
    /** Draws random bytes, as many as asked for; the system's source by default. */
    readonly random?: (length: number) => Uint8Array
  }
}

/** Returns the name of a master key that envelopes show, in hexadecimal; it does not give the key away. */
export const masterKeyId = (key: Uint8Array): string => Buffer.from(keyIdOf(key)).toString('hex')

type Parts = Required<Omit<naclCipher.Input, 'keys'>> & { readonly ring: KeyRing }

async function seal(parts: Parts, document: Uint8Array): ReturnType<Cipher['seal']> {
  const { ring, documentLimit, secretbox, random } = parts
  const { length } = document
  if (length > documentLimit) {
    throw new Failure('bundle/malformed', { problem: `it is longer than ${documentLimit} bytes` })
  }
  if (length > short) {
    const sealed = await sealBeside(parts, document, true)
    // Noise; chunks that were not kept have used up the key and the nonces they were drawn with.
    return sealed ?? ((await sealBeside(parts, document, false)) as Sealed)
  }
  const drawn = draw(random)
  const { payload, compressed } = pack(document)
  const sealed = new Uint8Array(sizes.head + sealedLength(payload.length))
  const chunks = sealer({ secretbox, ...drawn }, sealed.subarray(sizes.head))
  chunks.add(payload)
  chunks.end()
  writeHead({ ring, secretbox, drawn, compressed, length }, sealed)
  return { sealed, contentHash: hash(`0x${sumOf(drawn.salt, document)}`) }
}

type Sealed = Awaited<ReturnType<Cipher['seal']>>
type Drawn = Pick<Secrets, 'dataKey' | 'salt'> & Pick<Head, 'wrapNonce' | 'chunkPrefix'>

const draw = (random: Parts['random']): Drawn => ({
  dataKey: random(sizes.key),
  salt: random(sizes.salt),
  wrapNonce: random(sizes.nonce),
  chunkPrefix: random(sizes.chunkPrefix),
})

async function sealBeside(
  { ring, secretbox, random }: Parts,
  document: Uint8Array,
  compressed: boolean,
): Promise<Sealed | undefined> {
  const { length } = document
  const drawn = draw(random)
  const stream = { secretbox, ...drawn }
  const job = jobOf('seal', { stream, salt: drawn.salt, compressed, length, sealed: 0 })
  const answer = await bulk.ask(job, { pieces: piecesOf(document) })
  if (answer !== undefined) {
    writeHead({ ring, secretbox, drawn, compressed, length }, answer.bytes)
  }
  return answer && { sealed: answer.bytes, contentHash: hash(`0x${answer.sum}`) }
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sizes.chunk) yield bytes.subarray(at, at + sizes.chunk)
}

/** Writes the head of an envelope, and wipes the data key. */
function writeHead(
  {
    ring,
    secretbox,
    drawn,
    compressed,
    length,
  }: Pick<Parts, 'ring' | 'secretbox'> & {
    readonly drawn: Drawn
    readonly compressed: boolean
    readonly length: number
  },
  sealed: Uint8Array,
): void {
  const { key, id: keyId } = ring.first
  const clear = writeClear({ ...drawn, compressed, keyId })
  const secrets = writeSecrets(clear, { ...drawn, documentLength: length })
  sealed.set(clear)
  const box = sealed.subarray(sizes.clear, sizes.head)
  secretbox.seal({ message: secrets, box, nonce: drawn.wrapNonce, key })
  for (const secret of [drawn.dataKey, secrets]) secret.fill(0)
}

async function open(parts: Parts, sealed: Uint8Array): ReturnType<Cipher['open']> {
  const { secretbox, documentLimit } = parts
  const { compressed, keyId, wrapNonce, chunkPrefix } = readHead(sealed)
  const key = parts.ring.find(keyId)
  if (!key) throw unreadable('it was sealed under a key that is not in the key ring')

  const message = Buffer.alloc(sizes.secrets)
  try {
    const box = sealed.subarray(sizes.clear, sizes.head)
    const opened = secretbox.open({ message, box, nonce: wrapNonce, key })
    if (!opened) throw unreadable('it was altered')
    const secrets = readSecrets(sealed.subarray(0, sizes.clear), message)
    const { dataKey, documentLength: length } = secrets
    if (length > documentLimit) throw unreadable(`it holds more than ${documentLimit} bytes`)

    const stream = { secretbox, dataKey, chunkPrefix }
    const chunks = sealed.subarray(sizes.head)
    const terms = { stream, salt: secrets.salt, compressed, length, sealed: chunks.length }
    const { bytes: document, sum } = await openBody(terms, chunks)
    return { document, salt: salt(hex(secrets.salt)), contentHash: hash(`0x${sum}`) }
  } finally {
    message.fill(0)
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
  dataKey: Uint8Array.from(stream.dataKey),
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
