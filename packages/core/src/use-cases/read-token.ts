import { Failure } from '../failure.ts'
import type { Page, PageInput } from '../ports/catalogue.ts'
import type { Openings } from '../ports/openings.ts'
import type { Ports } from '../ports/ports.ts'
import { refuseStale } from '../tokens/access.ts'
import type { Listing } from '../tokens/listing.ts'
import type { RecordedOpening } from '../tokens/opening.ts'
import { type Provenance, requireFound } from '../tokens/provenance.ts'
import type { Account, TokenId } from '../values/branded.ts'
import { sameAccount, storageUri } from '../values/hex.ts'
import {
  notSigned,
  proofFailures,
  requireContract,
  type SignedProof,
  statementsForContracts,
} from './prove-account.ts'

/** The failures of `provenance`. */
export const provenanceFailures = ['ledger/unavailable', 'token/not-found'] as const

/**
 * Returns the permanent record of a token, with its storage URI.
 *
 * @throws `token/not-found`, `ledger/unavailable`
 */
export async function provenance(
  { ledger }: Pick<Ports, 'ledger'>,
  { tokenId }: provenance.Input,
): Promise<provenance.Output> {
  const record = requireFound(tokenId, await ledger.provenance(tokenId))
  return { ...record, storageUri: storageUri(record.digest) }
}

export declare namespace provenance {
  type Input = { readonly tokenId: TokenId }
  type Output = Provenance & { readonly storageUri: string }
}

/** The failures of `listing`. */
export const listingFailures = ['ledger/unavailable', 'token/not-found'] as const

/**
 * Returns the live terms of a token.
 *
 * @throws `token/not-found`, `ledger/unavailable`
 */
export async function listing(
  { ledger }: Pick<Ports, 'ledger'>,
  { tokenId }: listing.Input,
): Promise<listing.Output> {
  return requireFound(tokenId, await ledger.listing(tokenId))
}

export declare namespace listing {
  type Input = { readonly tokenId: TokenId }
  type Output = Listing
}

/** The failures of `readOpenings`. */
export const readOpeningsFailures = [
  ...proofFailures,
  'proof/not-bound',
  'request/malformed',
  'store/unavailable',
  'token/not-found',
  'token/not-owner',
] as const

/**
 * Returns who opened the memory of a token while an account owned it, the newest first. It owns it now,
 * or owned it when there were some.
 *
 * @throws `proof/stale`, `proof/not-signed`, `proof/not-bound`, `token/not-found`, `token/not-owner`,
 * `request/malformed`, `store/unavailable`, `ledger/unavailable`, `service/busy`
 */
export async function readOpenings(
  { clock, ledger, openings }: readOpenings.Parts,
  { tokenId, account, signed, ...page }: readOpenings.Input,
): Promise<Page<RecordedOpening>> {
  if (signed !== undefined) refuseStale(signed.proof, clock.now())
  const undecided = signed && (await statementsForContracts(ledger, { tokenId, ...signed }))
  const { owner } = requireFound(tokenId, await ledger.access(tokenId, account))
  const of = { tokenId, owner: account }
  const isOfOwner = sameAccount(owner, account) || (await openings.has(of))
  // Nobody has signed yet where a contract is to be asked: what was opened is not told by a refusal.
  if (!isOfOwner && signed !== undefined && undecided?.length) {
    throw notSigned(account, signed.challenges)
  }
  if (!isOfOwner) throw new Failure('token/not-owner', { tokenId, account })
  if (signed !== undefined) await requireContract(ledger, { ...signed, undecided })
  return openings.list(of, page)
}

export declare namespace readOpenings {
  type Parts = Pick<Ports, 'clock' | 'ledger'> & {
    readonly openings: Pick<Openings, 'has' | 'list'>
  }
  type Input = PageInput & {
    readonly tokenId: TokenId
    readonly account: Account
    /** The proof of the account; absent for an account that acts by itself. */
    readonly signed?: Omit<SignedProof, 'tokenId'> | undefined
  }
}
