import { refuseAltered } from '../bundles/bundle.ts'
import { refuseCopy, type SealContext } from '../bundles/seal-context.ts'
import { Failure, isFailure } from '../failure.ts'
import type { FailureCode } from '../failure-facts.ts'
import type { BlobStore, OpenBlobStore } from '../ports/blob-store.ts'
import type { Erasures } from '../ports/erasures.ts'
import type { Ledger, Statement } from '../ports/ledger.ts'
import type { Ports } from '../ports/ports.ts'
import { type Access, type Proof, refuseStale } from '../tokens/access.ts'
import type { Rental } from '../tokens/catalogued-token.ts'
import { type Listing, offersNothing } from '../tokens/listing.ts'
import { requireFound } from '../tokens/provenance.ts'
import type { Account, Digest, Hash, Instant, TokenId } from '../values/branded.ts'
import { sameAccount } from '../values/hex.ts'
import { later } from '../values/time.ts'
import { proofFailures } from './prove-account.ts'
import { readSaltFailures, readSealed } from './read-sealed.ts'

/** The failures of `erase`. */
export const eraseFailures = [
  ...readSaltFailures,
  ...proofFailures,
  'bundle/altered',
  'catalogue/unavailable',
  'memory/listed',
  'memory/rented',
  'memory/shared',
  'token/not-found',
  'token/not-owner',
] as const

/**
 * Erases the memory of a token for its owner, for ever. The owner must own every token that opens the
 * memory: those with its digest and its content hash whose source has the creator that it was sealed
 * for. Any other token opens nothing, so it neither erases a memory nor keeps one from being erased.
 * Refuses a memory that is offered, so that nobody pays for it meanwhile, or that somebody else has
 * rented.
 *
 * The memory is erased once that is noted; what is left of its bytes is removed after that, and again
 * after a crash. A memory that was erased before is left as it is.
 *
 * @throws `proof/stale`, `proof/not-signed`, `token/not-found`, `token/not-owner`, `access/copied`,
 * `memory/shared`, `memory/listed`, `memory/rented`, `blob/not-found`, `blob/corrupt`,
 * `blob/unavailable`, `bundle/altered`, `bundle/unreadable`, `ledger/unavailable`,
 * `catalogue/unavailable`, `service/busy`
 */
export async function erase(parts: erase.Parts, input: erase.Input): Promise<erase.Output> {
  const { clock, erasures } = parts
  const undecided = await verifyByKey(parts, input)
  const access = await requireOwner(parts.ledger, input)
  const { digest } = access
  const erasedAt = erasures.find(digest)
  if (erasedAt !== undefined) return { digest, erasedAt, isRemoved: await parts.forget(digest) }

  const context = { registry: parts.ledger.registry, creator: access.source.creator }
  const seal = parts.cipher.inspect(await parts.blobStore.head(digest))
  refuseCopy(seal.context, context)
  // Its maker can mint a sold memory again under another hash, and that token opens nothing either.
  refuseAltered(access.contentHash, seal.contentHash)
  // Anyone can mint a copy to a contract wallet, so refuse copies before the contract runs.
  if (undecided !== undefined && !(await parts.ledger.isSignedByContract(undecided))) {
    throw new Failure('proof/not-signed', { account: input.account })
  }
  await requireSole(parts, access)
  await refuseRented(parts, access, await requireSole(parts, access))
  const erased = await partsOf(parts, digest, context)
  const now = clock.now()
  await erasures.add(erased, now)
  return { digest, erasedAt: now, isRemoved: await parts.forget(digest) }
}

export declare namespace erase {
  type Parts = Pick<Ports, 'cipher' | 'clock'> & {
    readonly blobStore: Pick<BlobStore, 'get' | 'head'> & Pick<OpenBlobStore, 'parts'>
    readonly ledger: Pick<
      Ledger,
      'access' | 'listing' | 'registry' | 'isSignedByKey' | 'isSignedByContract'
    >
    readonly erasures: Erasures
    readonly holdings: Holdings
    /** Removes what is left of an erased blob; returns whether all of it is gone here. */
    readonly forget: (digest: Digest) => Promise<boolean>
  }
  type Input = {
    readonly tokenId: TokenId
    readonly account: Account
    /** The proof of the account; absent for an account that acts by itself. */
    readonly proof?: Pick<Proof, 'timestamp' | 'signature'> & {
      /** The text that the account signed (EIP-191). */
      readonly message: string
    }
  }
  type Output = {
    readonly digest: Digest
    readonly erasedAt: Instant
    /** Whether the bytes are gone here already; if not, they are removed later. */
    readonly isRemoved: boolean
  }
}

/** The tokens that may open a memory, and the rentals of a token, as the head of the chain has them. */
export type Holdings = {
  /** Returns every token with a content hash and a digest; those that open nothing may be absent. */
  tokensOf(memory: {
    readonly digest: Digest
    readonly contentHash: Hash
  }): Promise<readonly TokenId[]>
  /** Returns the rentals of a token that end after `after`. */
  rentalsOf(tokenId: TokenId, after: Instant): Promise<readonly Rental[]>
}

/** Returns the statement that only a contract can verify; none when the account needs no proof. */
async function verifyByKey(
  { clock, ledger }: Pick<erase.Parts, 'clock' | 'ledger'>,
  { account, proof }: erase.Input,
): Promise<Statement | undefined> {
  if (proof === undefined) return undefined
  const { message, signature } = proof
  refuseStale(proof, clock.now())
  const statement = { account, message, signature }
  const isSigned = await ledger.isSignedByKey(statement)
  if (isSigned === false) throw new Failure('proof/not-signed', { account })
  return isSigned ? undefined : statement
}

/** The failures to open what is damaged, or was put together from parts of others. */
const doubtful = new Set<FailureCode>(['bundle/unreadable', 'blob/not-found', 'blob/corrupt'])

async function requireOwner(
  ledger: Pick<Ledger, 'access'>,
  { tokenId, account }: Pick<erase.Input, 'tokenId' | 'account'>,
): Promise<Owned> {
  const access = requireFound(tokenId, await ledger.access(tokenId, account))
  if (sameAccount(access.owner, account)) return access
  throw new Failure('token/not-owner', { tokenId, account })
}

/** The access of an account to a token that it owns. */
type Owned = Access

/**
 * Returns the digests of the parts of a memory. Anyone can write a root that refers to the parts of
 * another memory, so they are those of this one only if it opens as a whole; otherwise the root alone
 * is erased.
 */
async function partsOf(
  { blobStore, cipher }: Pick<erase.Parts, 'blobStore' | 'cipher'>,
  digest: Digest,
  context: SealContext,
): Promise<readonly Digest[]> {
  const isWhole = await readSealed({ blobStore, cipher }, { digest, context })
    .then((sealed) => cipher.open(sealed, context, blobStore))
    .then(
      () => true,
      (error: unknown) => {
        if (isFailure(error) && doubtful.has(error.code)) return false
        throw error
      },
    )
  return isWhole ? [...new Set([digest, ...((await blobStore.parts?.(digest)) ?? [])])] : [digest]
}

/** Returns the tokens that open a memory; refuses one of another owner, and one that is offered. */
async function requireSole(
  { ledger, holdings }: Pick<erase.Parts, 'ledger' | 'holdings'>,
  { owner, digest, contentHash, source }: Owned,
): Promise<readonly TokenId[]> {
  const opening: TokenId[] = []
  for (const tokenId of await holdings.tokensOf({ digest, contentHash })) {
    const other = await ledger.access(tokenId, owner)
    if (other?.digest !== digest) continue
    if (!sameAccount(other.source.creator, source.creator)) continue
    if (!sameAccount(other.owner, owner)) {
      throw new Failure('memory/shared', { tokenId, owner: other.owner })
    }
    refuseOffered(tokenId, await ledger.listing(tokenId))
    opening.push(tokenId)
  }
  return opening
}

function refuseOffered(tokenId: TokenId, listing: Listing | undefined): void {
  if (listing === undefined) return
  const { dollars } = listing
  if (offersNothing(listing) && (dollars === undefined || offersNothing(dollars))) return
  throw new Failure('memory/listed', { tokenId })
}

async function refuseRented(
  { clock, holdings }: Pick<erase.Parts, 'clock' | 'holdings'>,
  { owner, asOf }: Owned,
  tokenIds: readonly TokenId[],
): Promise<void> {
  const now = later(clock.now(), asOf)
  for (const tokenId of tokenIds) {
    const rentals = await holdings.rentalsOf(tokenId, now)
    const ofOthers = rentals.filter(({ renter }) => !sameAccount(renter, owner))
    const [last] = ofOthers.toSorted((one, other) => other.expiresAt - one.expiresAt)
    if (last === undefined) continue
    const { renter, expiresAt } = last
    throw new Failure('memory/rented', { tokenId, renter, expiresAt })
  }
}
