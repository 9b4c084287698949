import { createHash } from 'node:crypto'
import type { Provenance } from '../client/told.ts'

export declare namespace verify {
  type Given = { readonly salt: string; readonly document: Uint8Array }
}

/** Tells whether a document is the one that the chain records. */
export function verify({ tokenId, contentHash }: Provenance, { salt, document }: verify.Given) {
  const salted = createHash('sha256')
    .update(Buffer.from(salt.slice(2), 'hex'))
    .update(document)
  const computed: `0x${string}` = `0x${salted.digest('hex')}`
  return { tokenId, contentHash, computed, matches: computed === contentHash }
}
