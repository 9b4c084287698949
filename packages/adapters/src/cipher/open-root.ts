import { openChunks, payloadLength } from './chunks.ts'
import type { Header } from './envelope.ts'
import type { EnvelopeKeys } from './sealed-header.ts'
import type { Secretbox } from './secretbox.ts'
import { unreadable } from './unreadable.ts'

/** The longest sealed root in bytes; that of 64 MB takes a few hundred. */
const longestRoot = 1_048_576

export declare namespace openRoot {
  type Input = {
    /** An authenticated header. */
    readonly header: Header
    readonly sealed: Uint8Array
    readonly keys: EnvelopeKeys
    readonly secretbox: Secretbox
  }
}

/**
 * Opens the root of the list of parts, which is the payload of the envelope.
 *
 * @throws `bundle/unreadable`
 */
export function openRoot({ header, sealed, keys, secretbox }: openRoot.Input): Uint8Array {
  const chunks = sealed.subarray(header.length)
  if (chunks.length !== header.sealedLength || chunks.length > longestRoot) {
    throw unreadable('it was cut short or prolonged')
  }
  const root = new Uint8Array(payloadLength(chunks.length))
  openChunks({ secretbox, key: keys.payload, chunkPrefix: header.chunkPrefix }, chunks, root)
  return root
}
