import { createHash } from 'node:crypto'
import {
  type BlobStore,
  type Cipher,
  Failure,
  type Hash,
  hash,
  refuseCopy,
  type SealContext,
  wholeDocument,
} from '@heirloom/core'

/** A frame around sealed bytes. */
export type Frame = {
  /** The number of bytes that the frame adds before the sealed bytes. */
  readonly before: number
  readonly frame: (sealed: Uint8Array, document: Uint8Array) => Uint8Array
  readonly unframe: (
    bytes: Buffer,
    context: SealContext,
    blobs: Pick<BlobStore, 'get'>,
  ) => Promise<Uint8Array>
}

/** Returns a cipher that puts the sealed bytes into a frame. */
export function withFrame(inner: Cipher, { before, frame, unframe }: Frame): Cipher {
  const open: Cipher['open'] = async (bytes, context, blobs) => {
    if (bytes.length < 4) throw unreadable()
    return inner.open(await unframe(Buffer.from(bytes), context, blobs), context, blobs)
  }
  return withAuthenticHeads({
    seal: async (document, context, options) => {
      const { sealed, headLength, contentHash } = await inner.seal(document, context, options)
      const bytes = Uint8Array.from(frame(sealed, document))
      return { sealed: bytes, headLength: before + headLength, contentHash }
    },
    open,
    reader: readerThrough(open),
    inspect: (head) => inner.inspect(head.subarray(before)),
    sealedLength: inner.sealedLength,
  })
}

/** Returns a reader of the whole document that a cipher opens. */
export function readerThrough(open: Cipher['open']): Cipher['reader'] {
  return async (...sealed) => {
    const { document, ...opened } = await open(...sealed)
    return { ...wholeDocument(document), ...opened }
  }
}

/**
 * Returns a cipher that reports exactly the heads that it made as authentic, with their content
 * hashes and the lengths of their bundles.
 */
export function withAuthenticHeads(cipher: Cipher): Cipher {
  const made = new Map<string, { readonly contentHash: Hash; readonly bytes: number }>()
  let length = 0
  const keyOf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, length)).toString('hex')
  return {
    ...cipher,
    seal: async (document, context, options) => {
      const bundle = await cipher.seal(document, context, options)
      length = bundle.headLength
      const { contentHash, sealed } = bundle
      made.set(keyOf(sealed), { contentHash, bytes: sealed.length })
      return bundle
    },
    inspect: (head) => {
      const seal = cipher.inspect(head)
      const known = made.get(keyOf(head))
      const { contentHash } = known ?? seal
      return { ...seal, contentHash, isAuthentic: known !== undefined }
    },
    sealedLength: async (head, context) => {
      const known = made.get(keyOf(head))
      if (known === undefined) throw unreadable()
      refuseCopy(cipher.inspect(head).context, context)
      return known.bytes
    },
  }
}

/** Encodes the length of bytes in four bytes. */
export function lengthOf(bytes: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return length
}

/** Returns the failure of sealed bytes that were changed. */
export function unreadable(): Failure {
  return new Failure('bundle/unreadable', { problem: 'it was changed' })
}

/** Returns the bytes of the salt of an opened bundle. */
export function saltBytes({ salt }: { readonly salt: string }): Uint8Array {
  return Buffer.from(salt.slice(2), 'hex')
}

/** Returns the sha256 of concatenated bytes. */
export function sha256(...parts: readonly Uint8Array[]): Hash {
  return hash(`0x${createHash('sha256').update(Buffer.concat(parts)).digest('hex')}`)
}
