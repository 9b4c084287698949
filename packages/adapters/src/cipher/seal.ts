import { type Cipher, Failure, type Hash, hash, type Salt, type SealContext } from '@heirloom/core'
import { sealedLength, sealer } from './chunks.ts'
import { type CipherParts, jobOf, sha256Of } from './cipher-parts.ts'
import { writeContext } from './context-bytes.ts'
import { cryptoWorker, inlineLimit } from './crypto-worker.ts'
import { type Header, sizes } from './envelope.ts'
import { pack } from './payload.ts'
import {
  type EnvelopeKeys,
  envelopeKeys,
  type RandomParts,
  sealHeader,
  wipe,
} from './sealed-header.ts'

type Sealed = Awaited<ReturnType<Cipher['seal']>>

type Unsealed = {
  readonly document: Uint8Array
  readonly context: SealContext
  readonly salt: Salt | undefined
}

/**
 * Seals a document under the current sealing key, with a fresh salt unless one is given.
 *
 * @throws `bundle/malformed` when the document is longer than the limit
 */
export async function seal(
  parts: CipherParts,
  { document, context, salt }: Unsealed,
): Promise<Sealed> {
  const { documentLimit } = parts
  const { length } = document
  if (length > documentLimit) {
    throw new Failure('bundle/malformed', { problem: `it is longer than ${documentLimit} bytes` })
  }
  if (length > inlineLimit) {
    const sealed = await sealInWorker(parts, { document, context, salt, compressed: true })
    // Incompressible. The discarded chunks used up their key and nonces, so it needs new ones.
    return (
      sealed ??
      ((await sealInWorker(parts, { document, context, salt, compressed: false })) as Sealed)
    )
  }
  const drawn = draw(parts.random, salt)
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

function draw(random: CipherParts['random'], salt: Salt | undefined): EnvelopeRandomness {
  const dataKey = random(sizes.key)
  return {
    dataKey,
    keys: envelopeKeys(dataKey),
    salt: salt === undefined ? random(sizes.salt) : Buffer.from(salt.slice(2), 'hex'),
    chunkPrefix: random(sizes.chunkPrefix),
    hiddenNonce: random(sizes.nonce),
    wrapSalt: random(sizes.wrapSalt),
    wrapNonce: random(sizes.nonce),
  }
}

const streamOf = (
  { secretbox }: Pick<CipherParts, 'secretbox'>,
  { keys, chunkPrefix }: EnvelopeRandomness,
) => ({
  ...{ secretbox, chunkPrefix },
  key: keys.payload,
})

type Piecewise = Pick<Header, 'compressed'> & Unsealed

async function sealInWorker(
  parts: CipherParts,
  { document, context, salt, compressed }: Piecewise,
): Promise<Sealed | undefined> {
  const { length } = document
  const drawn = draw(parts.random, salt)
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
  parts: CipherParts,
  {
    context,
    contentHash,
    compressed,
    length,
    ...drawn
  }: EnvelopeRandomness &
    Omit<Piecewise, 'document' | 'salt'> & { readonly contentHash: Hash; readonly length: number },
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
