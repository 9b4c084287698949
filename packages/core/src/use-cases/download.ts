import { refuseAltered } from '../bundles/bundle.ts'
import type { Ports } from '../ports/ports.ts'
import type { Digest, Hash, Salt } from '../values/branded.ts'
import { openFor } from './admit-reader.ts'
import { proofFailures, type ReaderProof } from './prove-account.ts'
import { readSaltFailures, readSealed } from './read-sealed.ts'

/** The failures of `download`. */
export const downloadFailures = [
  ...readSaltFailures,
  ...proofFailures,
  'access/denied',
  'bundle/altered',
  'proof/not-bound',
  'token/not-found',
] as const

/**
 * Opens the memory of a token for its owner or an active renter. Refuses a memory that was
 * not sealed for the creator of the token's source in this registry: such a token is a copy.
 *
 * @throws `proof/stale`, `proof/not-signed`, `proof/not-bound`, `token/not-found`, `access/denied`,
 * `access/copied`, `blob/not-found`, `blob/corrupt`, `blob/unavailable`, `bundle/unreadable`,
 * `bundle/altered`, `ledger/unavailable`, `service/busy`
 */
export async function download(
  ports: Ports,
  { beforeOpening, ...proof }: download.Input,
): Promise<download.Output> {
  const { blobStore, cipher } = ports
  return openFor(ports, { ...proof, scope: 'whole' }, async ({ contentHash, digest, context }) => {
    await beforeOpening?.(digest)
    const sealed = await readSealed(ports, { digest, context })
    const opened = await cipher.open(sealed, context, blobStore)
    refuseAltered(contentHash, opened.contentHash)
    return opened
  })
}

export declare namespace download {
  type Input = ReaderProof & {
    /** Runs after the right is verified and before the memory is opened; may throw to refuse. */
    readonly beforeOpening?: ((digest: Digest) => Promise<void>) | undefined
  }
  type Output = {
    /** The document, byte for byte as it was in the snapshot. */
    readonly document: Uint8Array
    /** The salt, with which anyone can verify the content hash: sha256(salt ‖ document). */
    readonly salt: Salt
    readonly contentHash: Hash
  }
}
