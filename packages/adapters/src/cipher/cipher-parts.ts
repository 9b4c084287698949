import { hash as digestOf } from 'node:crypto'
import type { SealContext, SealOptions } from '@heirloom/core'
import type { CryptoWorker } from './crypto-jobs.ts'
import type { Terms } from './open-pieces.ts'
import type { SealingKeys } from './sealing-keys.ts'
import type { Secretbox } from './secretbox.ts'

/** The keys and the primitives of a cipher. */
export type CipherParts = {
  readonly keys: SealingKeys
  /** The longest document that is sealed or opened, in bytes. */
  readonly documentLimit: number
  readonly secretbox: Secretbox
  readonly random: (length: number) => Uint8Array
  /** Reports whether a long document that is sealed now is sealed in parts. */
  readonly isInParts: () => boolean
}

/** Returns the job for the worker. Its parts are copies: a view would be sent with its whole buffer. */
export const openingOf = ({ sealed, ...terms }: Terms): CryptoWorker.Opening => ({
  ...copiedTerms(terms),
  kind: 'open',
  sealed,
})

/** Returns what the worker needs for the chunks of one blob, copied for the same reason. */
export const copiedTerms = ({ stream, salt, ...terms }: Omit<Terms, 'sealed'>) => ({
  ...terms,
  secretbox: stream.secretbox.name,
  key: Uint8Array.from(stream.key),
  chunkPrefix: Uint8Array.from(stream.chunkPrefix),
  salt: Uint8Array.from(salt),
})

/** Returns the sha256 of a salt and a document. For short documents a copy is faster than an incremental hash. */
export const sha256Of = (saltBytes: Uint8Array, document: Uint8Array): string =>
  digestOf('sha256', Buffer.concat([saltBytes, document]))

/** A document, and what it is sealed for. */
export type Unsealed = {
  readonly document: Uint8Array
  readonly context: SealContext
  readonly options: SealOptions
}
