import { type Card, encodeCard, type Hex, hash } from '@heirloom/core'
import { hexOf, sha256 } from './content-hash.ts'

/** Returns the digest of the block of a card, as a blob store computes it. */
export async function cardDigest(card: Card, contentHash: Hex): Promise<Hex> {
  return hexOf(await sha256(new Uint8Array(encodeCard({ card, contentHash: hash(contentHash) }))))
}
