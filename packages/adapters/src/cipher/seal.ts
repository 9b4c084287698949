import { type Cipher, Failure, hash, type SealContext, type SealOptions } from '@heirloom/core'
import { sealedLength, sealer } from './chunks.ts'
import { type CipherParts, sha256Of } from './cipher-parts.ts'
import { commitItems } from './commit-items.ts'
import { inlineLimit } from './crypto-worker.ts'
import { type Drawn, draw, headerOf, streamOf } from './header-of.ts'
import { pack } from './payload.ts'
import { sealInOneBlob } from './seal-in-one-blob.ts'
import { sealInParts } from './seal-in-parts.ts'

type Sealed = Awaited<ReturnType<Cipher['seal']>>

/** A document, and what it is sealed for. */
export type Unsealed = {
  readonly document: Uint8Array
  readonly context: SealContext
  readonly options: SealOptions
}

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
  const { salt, line, beforeStoring } = options
  const drawn = draw(parts.random, salt)
  const { shown } = await commitItems(unsealed, drawn)
  const bundle = sealWhole(parts, { document, context, drawn, shown, lineName: line?.name })
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
  }
}

/** Seals a document in one blob. */
export function sealWhole(
  parts: CipherParts,
  { document, context, drawn, shown, lineName }: sealWhole.Input,
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
    shown,
    length: document.length,
    sealedLength: chunks.length,
  })
  const sealed = Uint8Array.from(Buffer.concat([header, chunks]))
  return { sealed, headLength: header.length, contentHash }
}
