import { contentHashOf } from '../../client/proof/content-hash.ts'
import type { Provenance } from '../../client/responses.ts'

export declare namespace verify {
  type Input = { readonly salt: string; readonly document: Uint8Array }
}

/** Compares the hash of a document with the recorded content hash. */
export async function verify(
  { tokenId, contentHash }: Pick<Provenance, 'tokenId' | 'contentHash'>,
  { salt, document }: verify.Input,
) {
  const computed = await contentHashOf(salt as `0x${string}`, document)
  return { tokenId, contentHash, computed, matches: computed === contentHash }
}
