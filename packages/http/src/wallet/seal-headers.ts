import { type SignedPlace, sealText } from '../api/signed-texts.ts'
import { type Account, proofHeaders } from '../client/proof/access-proof.ts'
import { hexOf, sha256 } from '../client/proof/content-hash.ts'

/** A body to seal, the server, chain and registry that it is for, and the time, in milliseconds. */
type SealClaim = {
  readonly place: SignedPlace
  readonly body: Uint8Array<ArrayBuffer>
  readonly now: number
}

/**
 * Returns the headers with which a server seals a body for an account, which signs them for this server,
 * chain and registry, and for these bytes alone.
 */
export async function sealHeaders(
  account: Account,
  { body, ...context }: SealClaim,
): Promise<Record<string, string>> {
  const digest = await sha256(body)
  const claim = { account: account.address, bodyDigest: hexOf(digest) }
  const proof = await proofHeaders(account, context, (place, timestamp) =>
    sealText(place, { ...claim, timestamp }),
  )
  return { ...proof, 'content-digest': `sha-256=:${btoa(String.fromCharCode(...digest))}:` }
}
