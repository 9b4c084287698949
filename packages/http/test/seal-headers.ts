import { createHash } from 'node:crypto'
import type { Hex } from '@heirloom/core'
import { type SignedPlace, sealText } from '../src/api/signed-texts.ts'

/** The creator of a seal, or whoever signs in its name. */
export type SealSigner = {
  readonly address: Hex
  readonly signMessage: (input: { readonly message: string }) => Promise<Hex>
}

/** Returns the sha256 of a body. */
export const bodyDigestOf = (body: string | Uint8Array): Hex =>
  `0x${createHash('sha256').update(body).digest('hex')}`

/** Returns the header of a body's digest (RFC 9530). */
export const contentDigestOf = (digest: Hex): string =>
  `sha-256=:${Buffer.from(digest.slice(2), 'hex').toString('base64')}:`

/** Returns the headers with which a creator asks a server to seal a body. */
export async function sealHeaders(
  { address: account, signMessage }: SealSigner,
  body: string | Uint8Array,
  { place, timestamp }: { readonly place: SignedPlace; readonly timestamp: number },
): Promise<Record<string, string>> {
  const bodyDigest = bodyDigestOf(body)
  const message = sealText(place, { account, timestamp, bodyDigest })
  return {
    'content-type': 'application/json',
    'content-digest': contentDigestOf(bodyDigest),
    'x-wallet-address': account,
    'x-timestamp': `${timestamp}`,
    'x-signature': await signMessage({ message }),
  }
}
