import { extname } from 'node:path'
import type { Terms } from './seal-pieces.ts'
import type { Secretbox } from './secretbox.ts'
import { worker } from '../platform/worker.ts'

/** Up to this length, in bytes, handing bytes to a worker takes about as long as the work itself. */
export const short = 131_072

/** What is asked of the worker, and what it answers. */
export declare namespace Bulk {
  /** A JSON object to read, and what precedes it in its fingerprint, where one is wanted. */
  type Reading = {
    readonly kind: 'read'
    readonly bytes: Uint8Array<ArrayBuffer>
    readonly heading: string | undefined
  }
  /** A document to seal, or chunks to open, which come in pieces. */
  type Sealing = Omit<Terms, 'stream'> & {
    readonly kind: 'seal' | 'open'
    readonly secretbox: Secretbox['name']
    readonly key: Uint8Array
    readonly chunkPrefix: Uint8Array
  }
  type Job = Reading | Sealing
  /** The bytes that were read, sealed or opened; nothing where compressing shortens nothing. */
  type Answer =
    | {
        readonly bytes: Uint8Array<ArrayBuffer>
        /** The sha256 of the heading, or the salt, and the document, in hexadecimal. */
        readonly sum?: string | undefined
        /** Where the members are that were read. */
        readonly members?: readonly (readonly [name: string, start: number, end: number])[]
      }
    | undefined
}

// Where the program was packed, so was the worker's, beside it.
const program = `./crypto-worker-program${extname(import.meta.url)}`

/** The worker that does for all of this process what would hold up its event loop. */
export const bulk = worker<Bulk.Job, Bulk.Answer>(new URL(program, import.meta.url))
