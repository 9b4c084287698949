import { refuseCopy, type SealContext } from '../bundles/seal-context.ts'
import type { Ledger, Statement } from '../ports/ledger.ts'
import type { Ports } from '../ports/ports.ts'
import { type Access, admit, challenge, refuseStale } from '../tokens/access.ts'
import { requireFound } from '../tokens/provenance.ts'
import type { Account, TokenId } from '../values/branded.ts'
import { notSigned, type ReaderProof, statementsForContracts } from './prove-account.ts'

/**
 * Admits the owner of a token or an active renter, and returns the context in which its memory must
 * be sealed. Calls a contract wallet last, so that nobody without a right to the token can make it
 * run.
 *
 * @throws `proof/stale`, `proof/not-signed`, `proof/not-bound`, `token/not-found`, `access/denied`,
 * `access/copied`, `blob/not-found`, `blob/corrupt`, `blob/unavailable`, `bundle/unreadable`,
 * `ledger/unavailable`, `service/busy`
 */
export async function admitReader(
  { blobStore, cipher, clock, ledger }: Ports,
  { tokenId, proof, challenges = [challenge], right }: ReaderProof,
): Promise<{ readonly access: Access; readonly context: SealContext }> {
  const { account } = proof
  refuseStale(proof, clock.now())
  const undecided = await statementsForContracts(ledger, { tokenId, proof, challenges })

  const access = await requireRight({ clock, ledger }, { tokenId, account, right })
  const context = { registry: ledger.registry, creator: access.source.creator }
  if (undecided.length > 0) {
    // Anyone can mint a copy to a contract wallet, so refuse copies before the contract runs.
    refuseCopy(cipher.inspect(await blobStore.head(access.digest)).context, context)
    if (!(await isContractSigned(ledger, undecided))) throw notSigned(account, challenges)
  }
  return { access, context }
}

/**
 * Requires that an account owns a token or rents it now, or has the right that it claims, whatever it
 * proved.
 *
 * @throws `token/not-found`, `access/denied`, `ledger/unavailable`
 */
export async function requireRight(
  { clock, ledger }: Pick<Ports, 'clock' | 'ledger'>,
  { tokenId, account, right }: requireRight.Input,
): Promise<Access> {
  if (right !== undefined) return right({ tokenId, account })
  const access = requireFound(tokenId, await ledger.access(tokenId, account))
  admit(access, tokenId, account, clock.now())
  return access
}

export declare namespace requireRight {
  type Input = Pick<ReaderProof, 'right'> & { readonly tokenId: TokenId; readonly account: Account }
}

async function isContractSigned(
  ledger: Ledger,
  statements: readonly Statement[],
): Promise<boolean> {
  for (const statement of statements) if (await ledger.isSignedByContract(statement)) return true
  return false
}
