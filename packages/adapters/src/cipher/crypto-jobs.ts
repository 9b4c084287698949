import type { CommitInput, Commitment } from './commitment.ts'
import type { HashedBytes, Terms } from './open-pieces.ts'
import type { OpenTerms } from './parts/open-parts.ts'
import type { PartTerms, SealedParts } from './parts/seal-parts.ts'
import type { Secretbox } from './secretbox.ts'

/** The jobs of the worker and its answers. */
export declare namespace CryptoWorker {
  /** A JSON object to read, and the bytes that precede it in its fingerprint, if one is needed. */
  type Reading = {
    readonly kind: 'read'
    readonly bytes: Uint8Array<ArrayBuffer>
    readonly heading: string | undefined
  }
  type Named = { readonly secretbox: Secretbox['name'] }
  /** Chunks of one blob to open, which are streamed. */
  type Opening = Omit<Terms, 'stream'> &
    Named & {
      readonly kind: 'open'
      readonly key: Uint8Array
      readonly chunkPrefix: Uint8Array
    }
  /** A document to seal in one blob, which is streamed. */
  type Sealing = Omit<Opening, 'kind' | 'sealed'> & { readonly kind: 'seal' }
  /** A document to seal in parts; the packs with nodes of the last version are streamed. */
  type SealingParts = Omit<PartTerms, 'secretbox'> & Named & { readonly kind: 'seal-parts' }
  /** A document in parts to open, whose packs are streamed. */
  type OpeningParts = Omit<OpenTerms, 'secretbox'> & Named & { readonly kind: 'open-parts' }
  /** A document whose items to commit to, which comes back. */
  type Committing = CommitInput & {
    readonly kind: 'commit'
    readonly document: Uint8Array<ArrayBuffer>
  }
  type Job = Reading | Opening | Sealing | SealingParts | OpeningParts | Committing
  /** Bytes that were read or opened. */
  type ReadBytes = {
    readonly bytes: Uint8Array<ArrayBuffer>
    /** The sha256 of the heading, or the salt, and the document, in hexadecimal. */
    readonly sum?: string | undefined
    /** The positions of the members of the object. */
    readonly members?: readonly (readonly [name: string, start: number, end: number])[]
  }
  /** The chunks of one blob; none when compression does not shorten the document. */
  type SealedChunks = { readonly chunks: HashedBytes | undefined }
  type Committed = {
    readonly commitment: Commitment | undefined
    readonly document: Uint8Array<ArrayBuffer>
  }
  type Answer = ReadBytes | SealedChunks | SealedParts | Committed
}

/** The most members of a JSON object that a request sends: each takes memory in the event loop, too. */
export const mostMembers = 1000
