import type { IncomingHttpHeaders } from 'node:http'
import type { Hex, Proof } from '@heirloom/core'
import { malformed, type ProofHeaders, readProof, requireHeader } from './proof-headers.ts'

/** The headers of the proof of a creator, in the order in which they are checked. */
export const sealProofHeaders = {
  account: 'x-wallet-address',
  signature: 'x-signature',
  timestamp: 'x-timestamp',
} as const satisfies ProofHeaders

/** Returns whether a request claims to be signed: with any header of a proof it must have all. */
export const claimsProof = (headers: IncomingHttpHeaders): boolean =>
  Object.values(sealProofHeaders).some((name) => headers[name] !== undefined)

/** The header with the digest of the body (RFC 9530). */
export const digestHeader = 'content-digest'

/** A proof that a creator asks for a seal of one body. */
export type SealProof = Proof & { readonly bodyDigest: Hex }

/**
 * Reads the proof of a creator and the digest of the body that it signed.
 *
 * @throws `proof/missing`, `proof/malformed`
 */
export function readSealProof(headers: IncomingHttpHeaders): SealProof {
  const proof = readProof(headers, sealProofHeaders)
  return { ...proof, bodyDigest: readBodyDigest(requireHeader(headers, digestHeader)) }
}

/** Returns the sha-256 among the digests of a body; it must be there once. */
function readBodyDigest(text: string): Hex {
  const members = text.split(',').map((member) => member.trim())
  const [member, ...more] = members.filter((it) => it.startsWith('sha-256='))
  const [, base64] = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(member ?? '') ?? []
  if (base64 === undefined || more.length > 0) throw malformed(digestHeader)
  const bytes = Buffer.from(base64, 'base64')
  // The last digit has two bits that are not of the digest; only zeros are its one spelling.
  if (bytes.toString('base64') !== base64) throw malformed(digestHeader)
  return `0x${bytes.toString('hex')}`
}
