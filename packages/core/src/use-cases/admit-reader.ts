import { refuseCopy, type SealContext } from '../bundles/seal-context.ts'
import type { Ports } from '../ports/ports.ts'
import { type Access, admit, challenge, refuseStale } from '../tokens/access.ts'
import { type OpenedScope, openingOf } from '../tokens/opening.ts'
import { requireFound } from '../tokens/provenance.ts'
import type { Account, TokenId } from '../values/branded.ts'
import {
  type Admitting,
  notSigned,
  type ReaderProof,
  requireContract,
  statementsForContracts,
} from './prove-account.ts'

/** A memory that may be opened, with the context in which it must be sealed. */
export type OpenableMemory = Pick<Access, 'contentHash' | 'digest'> & {
  readonly context: SealContext
}

/**
 * Opens the memory of a token for one who may read it, and records that once `open` was
 * done: nobody else gets the context that opens it.
 *
 * @throws the failures of `admitReader` and of `open`
 */
export async function openFor<T>(
  ports: Ports,
  { scope, ...reader }: ReaderProof & { readonly scope: OpenedScope },
  open: (memory: OpenableMemory) => Promise<T>,
): Promise<T> {
  const { access, context, right } = await admitReader(ports, reader)
  const { contentHash, digest } = access
  const opened = await open({ contentHash, digest, context })
  const { account } = reader.proof
  // What was claimed may have been revoked, or have ended, meanwhile.
  await reader.right?.({ tokenId: reader.tokenId, account })
  const admitted = { tokenId: reader.tokenId, account, scope, right, access }
  ports.openings?.record(openingOf(admitted, ports.clock.now()))
  return opened
}

/**
 * Returns the access of the owner of a token or an active renter, who proves to be that. It opens
 * nothing: `openFor` does.
 *
 * @throws the failures of `admitReader`
 */
export const proveReader = async (ports: Ports, reader: ReaderProof): Promise<Access> =>
  (await admitReader(ports, reader)).access

/**
 * Admits the owner of a token or an active renter, and returns the context in which its memory must
 * be sealed. Calls a contract wallet last, so that nobody without a right to the token can make it
 * run.
 *
 * @throws `proof/stale`, `proof/not-signed`, `proof/not-bound`, `token/not-found`, `access/denied`,
 * `access/copied`, `blob/not-found`, `blob/corrupt`, `blob/unavailable`, `bundle/unreadable`,
 * `ledger/unavailable`, `service/busy`
 */
async function admitReader(
  { blobStore, cipher, clock, ledger }: Ports,
  { tokenId, proof, challenges = [challenge], right: claimed }: ReaderProof,
): Promise<Admission> {
  const { account } = proof
  refuseStale(proof, clock.now())
  const undecided = await statementsForContracts(ledger, { tokenId, proof, challenges })

  const admitting = { tokenId, account, right: claimed }
  const { access, right } = await requireRight({ clock, ledger }, admitting)
  const context = { registry: ledger.registry, creator: access.source.creator }
  if (undecided.length > 0) {
    // Anyone can mint a copy to a contract wallet, so refuse copies before the contract runs.
    const refuse = async () =>
      refuseCopy(cipher.inspect(await blobStore.head(access.digest)).context, context)
    await refuse().catch((error: unknown) => {
      // Nobody who has proved nothing yet learns that a grant counts.
      throw claimed === undefined ? error : notSigned(account, challenges)
    })
    await requireContract(ledger, { proof, challenges, undecided })
  }
  return { access, context, right }
}

type Admission = Admitting & { readonly context: SealContext }

/**
 * Requires that an account owns a token or rents it now, or has the right that it claims, whatever it
 * proved.
 *
 * @throws `token/not-found`, `access/denied`, `ledger/unavailable`
 */
export async function requireRight(
  { clock, ledger }: Pick<Ports, 'clock' | 'ledger'>,
  { tokenId, account, right }: requireRight.Input,
): Promise<Admitting> {
  if (right !== undefined) return right({ tokenId, account })
  const access = requireFound(tokenId, await ledger.access(tokenId, account))
  return { access, right: admit(access, tokenId, account, clock.now()) }
}

export declare namespace requireRight {
  type Input = Pick<ReaderProof, 'right'> & { readonly tokenId: TokenId; readonly account: Account }
}
