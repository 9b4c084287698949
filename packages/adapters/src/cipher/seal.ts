import { type Cipher, Failure, hash, type SealContext, type SealOptions } from '@heirloom/core'
import { sealedLength, sealer } from './chunks.ts'
import { type CipherParts, copiedTerms, sha256Of, type Unsealed } from './cipher-parts.ts'
import { commitItems, releaseHandedOver } from './commit-items.ts'
import type { CryptoWorker } from './crypto-jobs.ts'
import { cryptoWorker, inlineLimit } from './crypto-worker.ts'
import { sizes } from './envelope.ts'
import { type Drawn, draw, headerOf, streamOf } from './header-of.ts'
import { pack } from './payload.ts'
import { sealInParts } from './seal-in-parts.ts'
import { wipe } from './sealed-header.ts'

type Sealed = Awaited<ReturnType<Cipher['seal']>>

/**
 * Seals a document under the current sealing key, with a fresh salt unless one is given. A document
 * of more than 128 KiB is sealed in parts, unless servers that open none are still used.
 *
 * @throws `bundle/malformed` when the document is longer than the limit, `excerpt/not-in-memory`,
 * `card/malformed` for excerpts, `blob/unavailable`, and what `beforeStoring` throws
 */
export async function seal(parts: CipherParts, unsealed: Unsealed): Promise<Sealed> {
  const { documentLimit } = parts
  const { document, context, options } = unsealed
  if (document.length > documentLimit) {
    throw new Failure('bundle/malformed', { problem: `it is longer than ${documentLimit} bytes` })
  }
  if (document.length > inlineLimit) {
    return parts.isInParts() ? sealInParts(parts, unsealed) : sealInOneBlob(parts, unsealed)
  }
  const { salt, line, savedBy, beforeStoring } = options
  const drawn = draw(parts.random, salt)
  const { shown } = await commitItems(unsealed, drawn)
  const lineName = line?.name
  const bundle = sealWhole(parts, { document, context, drawn, shown, lineName, savedBy })
  await beforeStoring?.(bundle.sealed.length)
  return bundle
}

export declare namespace sealWhole {
  type Input = {
    readonly document: Uint8Array
    readonly context: SealContext
    readonly drawn: Drawn
    readonly shown: headerOf.Input['shown']
    readonly lineName?: string | undefined
    readonly savedBy?: SealOptions['savedBy']
  }
}

/** Seals a document in one blob. */
export function sealWhole(
  parts: CipherParts,
  { document, context, drawn, shown, lineName, savedBy }: sealWhole.Input,
): Sealed {
  const { payload, compressed } = pack(document)
  const chunks = new Uint8Array(sealedLength(payload.length))
  const contentHash = hash(`0x${sha256Of(drawn.salt, document)}`)
  const writer = sealer(streamOf(parts, drawn), chunks)
  writer.add(payload)
  writer.end()
  const header = headerOf(parts, drawn, {
    context,
    contentHash,
    compressed,
    lineName,
    savedBy,
    shown,
    length: document.length,
    sealedLength: chunks.length,
  })
  const sealed = Uint8Array.from(Buffer.concat([header, chunks]))
  return { sealed, headLength: header.length, contentHash }
}

/**
 * Seals a long document in one blob, as version 0.2.0 did, which opens no parts.
 *
 * @throws `excerpt/not-in-memory`, `card/malformed` for excerpts, and what `beforeStoring` throws
 */
async function sealInOneBlob(parts: CipherParts, input: Unsealed): ReturnType<Cipher['seal']> {
  const drawn = draw(parts.random, input.options.salt)
  const { shown, document } = await commitItems(input, drawn)
  const unsealed = { ...input, document }
  const work = { parts, unsealed, drawn, shown }
  const bundle = await sealShorter(work).finally(() => releaseHandedOver(unsealed))
  await unsealed.options.beforeStoring?.(bundle.sealed.length)
  return bundle
}

type Work = Omit<Attempt, 'compressed'> & { readonly parts: CipherParts }

async function sealShorter({ parts, ...work }: Work): ReturnType<Cipher['seal']> {
  const bundle =
    (await trySeal(parts, { ...work, compressed: true })) ??
    // Incompressible. The discarded chunks used up their key and nonces, so it needs new ones.
    (await trySeal(parts, {
      ...work,
      compressed: false,
      drawn: { ...draw(parts.random, undefined), salt: work.drawn.salt },
    }))
  if (bundle === undefined) throw new Error('A document that is not compressed is never too long.')
  return bundle
}

type Attempt = {
  readonly unsealed: Unsealed
  readonly drawn: Drawn
  readonly shown: headerOf.Input['shown']
  readonly compressed: boolean
}

/** Returns `undefined` when compression does not shorten the document. */
async function trySeal(
  parts: CipherParts,
  { unsealed: { document, context, options }, drawn, shown, compressed }: Attempt,
): Promise<Awaited<ReturnType<Cipher['seal']>> | undefined> {
  const { length } = document
  const terms = { stream: streamOf(parts, drawn), salt: drawn.salt, compressed, length }
  const job = { ...copiedTerms(terms), kind: 'seal' } as const
  const answer = await cryptoWorker.ask(job, { pieces: piecesOf(document) })
  const { chunks } = answer as CryptoWorker.SealedChunks
  if (chunks === undefined) {
    wipe(drawn.keys, drawn.dataKey)
    return undefined
  }
  const contentHash = hash(`0x${chunks.sum}`)
  const header = headerOf(parts, drawn, {
    context,
    contentHash,
    compressed,
    lineName: options.line?.name,
    savedBy: options.savedBy,
    shown,
    length,
    sealedLength: chunks.bytes.length,
  })
  const sealed = new Uint8Array(header.length + chunks.bytes.length)
  sealed.set(header)
  sealed.set(chunks.bytes, header.length)
  return { sealed, headLength: header.length, contentHash }
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sizes.chunk) yield bytes.subarray(at, at + sizes.chunk)
}
