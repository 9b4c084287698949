import type { Digest, Hash, Salt, SealContext, SealedSaver } from '@heirloom/core'
import type { ChunkStream } from './chunks.ts'
import type { CipherParts } from './cipher-parts.ts'
import { type Bound, sizes, writeContext } from './envelope.ts'
import {
  type EnvelopeKeys,
  envelopeKeys,
  type LineParts,
  type RandomParts,
  sealHeader,
  wipe,
} from './sealed-header.ts'

/** The random parts of one envelope, and the keys that follow from them. */
export type Drawn = RandomParts & {
  readonly salt: Uint8Array
  readonly chunkPrefix: Uint8Array
  readonly keys: EnvelopeKeys
}

/** Draws the random parts of an envelope. */
export function draw(random: CipherParts['random'], salt: Salt | undefined): Drawn {
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

/** Returns the stream that seals the payload of an envelope. */
export const streamOf = (
  { secretbox }: Pick<CipherParts, 'secretbox'>,
  { keys, chunkPrefix }: Drawn,
): ChunkStream => ({ secretbox, chunkPrefix, key: keys.payload })

export declare namespace headerOf {
  type Input = {
    readonly context: SealContext
    readonly contentHash: Hash
    readonly compressed: boolean
    /** The length of the document in bytes. */
    readonly length: number
    /** The length of all sealed chunks in bytes. */
    readonly sealedLength: number
    readonly lineName: string | undefined
    /** The one who saves; nobody when absent. */
    readonly savedBy: SealedSaver | undefined
    /** The packs of a document in parts. */
    readonly packs?: readonly Digest[]
    readonly line?: LineParts | undefined
    /** The facts of the document that the header shows. */
    readonly shown: Pick<Bound, 'items' | 'excerpts'>
  }
}

/** Returns the header of an envelope, and wipes its keys. */
export function headerOf(
  parts: CipherParts,
  drawn: Drawn,
  {
    context,
    contentHash,
    compressed,
    length,
    sealedLength,
    lineName,
    savedBy,
    packs,
    line,
    shown,
  }: headerOf.Input,
): Uint8Array {
  const { chunkPrefix, keys, salt } = drawn
  const header = sealHeader(
    {
      bound: {
        context: writeContext(context),
        contentHash: Buffer.from(contentHash.slice(2), 'hex'),
        packs: packs?.map((digest) => Buffer.from(digest.slice(2), 'hex')),
        compressed,
        chunkPrefix,
        sealedLength,
        ...shown,
      },
      hidden: { salt, documentLength: length, lineName, savedBy },
      randomParts: drawn,
      keys,
      line,
    },
    { sealingKey: parts.keys.current(), secretbox: parts.secretbox },
  )
  wipe(keys, drawn.dataKey)
  return header
}
