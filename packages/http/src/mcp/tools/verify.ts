import { contentHashOf } from '../../client/proof/content-hash.ts'
import type { Provenance } from '../../client/responses.ts'

export declare namespace verify {
  type Given = { readonly salt: string; readonly document: Uint8Array }
}

/** Tells whether a document is the one that the chain records. */
export async function verify(
  { tokenId, contentHash }: Pick<Provenance, 'tokenId' | 'contentHash'>,
  { salt, document }: verify.Given,
) {
  const computed = await contentHashOf(salt as `0x${string}`, document)
  return { tokenId, contentHash, computed, matches: computed === contentHash }
}
