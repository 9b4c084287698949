import { extname } from 'node:path'
import { worker } from '../platform/worker.ts'
import type { Terms } from './seal-pieces.ts'
import type { Secretbox } from './secretbox.ts'

/** Up to this length, in bytes, handing bytes to a worker takes about as long as the work itself. */
export const inlineLimit = 131_072

/** The jobs of the worker and its answers. */
export declare namespace CryptoWorker {
  /** A JSON object to read, and the bytes that precede it in its fingerprint, if one is needed. */
  type Reading = {
    readonly kind: 'read'
    readonly bytes: Uint8Array<ArrayBuffer>
    readonly heading: string | undefined
  }
  /** A document to seal, or chunks to open, which are streamed in pieces. */
  type Sealing = Omit<Terms, 'stream'> & {
    readonly kind: 'seal' | 'open'
    readonly secretbox: Secretbox['name']
    readonly key: Uint8Array
    readonly chunkPrefix: Uint8Array
  }
  type Job = Reading | Sealing
  /** The read, sealed or opened bytes; `undefined` when compression does not shorten a document. */
  type Answer =
    | {
        readonly bytes: Uint8Array<ArrayBuffer>
        /** The sha256 of the heading, or the salt, and the document, in hexadecimal. */
        readonly sum?: string | undefined
        /** The positions of the members of the object. */
        readonly members?: readonly (readonly [name: string, start: number, end: number])[]
      }
    | undefined
}

// A packed program has its worker's program packed beside it.
const program = `./crypto-worker-program${extname(import.meta.url)}`

/** The worker for cryptography and JSON that would block the event loop of this process. */
export const cryptoWorker = worker<CryptoWorker.Job, CryptoWorker.Answer>(
  new URL(program, import.meta.url),
)
