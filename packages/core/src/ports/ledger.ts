import type { Access } from '../domain/access.ts'
import type { Account } from '../domain/account.ts'
import type { Budget } from '../domain/budget.ts'
import type { Digest, Hash, Hex } from '../domain/hash.ts'
import type { Idempotency } from '../domain/idempotency.ts'
import type { Listing, Terms } from '../domain/listing.ts'
import type { Wei } from '../domain/money.ts'
import type { Provenance } from '../domain/provenance.ts'
import type { Registry } from '../domain/seal-context.ts'
import type { Instant } from '../domain/time.ts'
import type { TokenId } from '../domain/token.ts'

/** A write that the chain has accepted. */
export type Receipt = { readonly txHash: Hex }

/** The methods of a ledger that write: those that answer with a receipt. */
export type LedgerWrite = {
  // `recall` names the writes itself, and to look at it here would be circular.
  [name in Exclude<keyof Ledger, 'recall'>]: Ledger[name] extends (input: never) => Promise<Receipt>
    ? name
    : never
}[Exclude<keyof Ledger, 'recall'>]

/** What a write returns. */
export type Written<write extends LedgerWrite> = Awaited<ReturnType<Ledger[write]>>

/** What an account is said to have signed. */
export type Statement = {
  readonly account: Account
  readonly message: string
  readonly signature: Hex
}

/** What every write may be given. */
type Once = {
  readonly idempotency?: Idempotency | undefined
  /** In whose name it is made; a ledger that counts what is spent refuses what goes beyond. */
  readonly budget?: Budget | undefined
}

/** What a mint has made. */
export type Minted = Receipt & {
  readonly tokenId: TokenId
  readonly contentHash: Hash
  readonly digest: Digest
  /** When the ledger took the write, to the millisecond. */
  readonly acceptedAt: Instant
}

/**
 * Records who made, owns, rents and offers each token, and moves the money. A write returns once
 * the chain has accepted it; one that fails changes nothing. Any write may fail with
 * `wallet/short`, `wallet/call-limit`, `wallet/day-limit`, `api-key/call-limit`, `api-key/day-limit`,
 * `ledger/unavailable`, `transaction/unconfirmed`, `transaction/unknown`, `transaction/cancelled`,
 * `transaction/reverted` or `idempotency/key-reused`, and any read with `ledger/unavailable`.
 *
 * A write that is given an idempotency happens once, however often it is asked for: the second
 * and every later call of that key returns what the first returned.
 *
 * Laws
 * - names one registry, whoever signs
 * - records a mint as it was made
 * - numbers tokens one after another from 1
 * - mints to the recipient and names the payer as creator
 * - tells the card of a mint that has one, and of no other
 * - refuses an unknown parent with `token/not-found`
 * - refuses the parent 0 and the content hash 0
 * - refuses a recipient that cannot hold a token with `recipient/invalid`
 * - knows nothing of a token that was never minted
 * - shows a listing as it was made
 * - shows an unlisted token with zero prices and nobody as seller
 * - refuses a listing by anyone but the owner with `listing/not-owner`
 * - refuses a price above the limit with `listing/price-too-high`
 * - refuses a share that is not 0 to 10000 whole basis points with `royalty/bad-share`
 * - takes a listing down for ever when the token changes hands
 * - sells at the exact price and pays the seller
 * - refuses a purchase of what is not for sale with `listing/not-for-sale`
 * - refuses a purchase at another price with `listing/price-changed`
 * - rents to the recipient for the days paid
 * - renews from the end of the running rental
 * - refuses a rental beyond 365 days ahead with `rental/too-long`
 * - refuses a rental of any but 1 to 365 whole days with `rental/bad-duration`
 * - refuses a rental of what is not for rent with `listing/not-for-rent`
 * - keeps rentals when the token is sold
 * - names the source of a token through licensed forks
 * - forks with the content of the parent and the payer as creator
 * - refuses a fork of what is not for fork with `listing/not-for-fork`
 * - refuses a fork above the accepted total with `listing/royalty-changed`
 * - shows what a fork would owe in all
 * - splits the price of a licensed fork among the claims on it
 * - never shrinks an ancestor's claim by a fork
 * - caps the claims on a token at its whole price
 * - keeps the eight oldest claims
 * - refuses a fork of a chain of 64 with `lineage/too-deep`
 * - pays a royalty to the creator of the token
 * - refuses a write that the wallet cannot pay with `wallet/short`
 * - recognises what an account signed and nothing else
 * - believes a contract of what its owners signed and of nothing else
 * - lets one of two racing buyers win
 * - gives the first result again for the same key and request
 * - does a write once when the same key comes twice at once
 * - refuses a key that comes with another request with `idempotency/key-reused`
 * - forgets the key of a write that failed without effect
 */
export interface Ledger {
  /** The account that signs and pays every write. */
  readonly agent: Account
  /** The registry that its tokens are in. */
  readonly registry: Registry
  /** Returns what the gate needs to know of a token and an account, in one look at one block. */
  access(tokenId: TokenId, account: Account): Promise<Access | undefined>
  /** Returns what is recorded of a token for ever. */
  provenance(tokenId: TokenId): Promise<Provenance | undefined>
  /** Returns the live terms of a token. */
  listing(tokenId: TokenId): Promise<Listing | undefined>
  /**
   * Returns whether `account` signed `message` (EIP-191), without running any contract; `undefined`
   * where only a contract can say: one at `account`, or one that a longer signature stands for.
   */
  signed(statement: Statement): Promise<boolean | undefined>
  /**
   * Returns whether the contract at `account` recognises the signature (ERC-1271), or would once
   * it is deployed (ERC-6492). A contract does as it likes, so ask only for an account that has a
   * right: it gets little gas, and few are asked at once.
   *
   * @throws `service/busy` when too many wait to be asked
   */
  contractSigned(statement: Statement): Promise<boolean>
  /**
   * Returns what the write that was made under a key returned, after waiting for one under way;
   * `undefined` when there is none. A write that failed without effect on the chain is not
   * remembered.
   *
   * @throws `idempotency/key-reused` when the key belongs to another request or another kind of
   * write, and what the write failed with
   */
  recall<write extends LedgerWrite>(
    write: write,
    idempotency: Idempotency,
  ): Promise<Written<write> | undefined>
  /**
   * Mints a token that belongs to `recipient`. Under a key that was used, what it returns is of
   * the token that was minted then.
   *
   * @throws `token/not-found` for the parent, `recipient/invalid`, `value/invalid` for a content
   * hash of zero
   */
  mint(
    token: Once & {
      readonly contentHash: Hash
      readonly digest: Digest
      readonly parent: TokenId | undefined
      readonly recipient: Account
      /** The digest of the card that it shows; told by the chain, and looked at by nobody here. */
      readonly card?: Digest | undefined
    },
  ): Promise<Minted>
  /**
   * Sets the terms of a token the agent owns; all zero takes the listing down.
   *
   * @throws `token/not-found`, `listing/not-owner`, `listing/price-too-high`, `royalty/bad-share`
   */
  list(offer: Once & Terms & { readonly tokenId: TokenId }): Promise<Receipt>
  /**
   * Buys a token for `recipient` at exactly `price`.
   *
   * @throws `token/not-found`, `listing/not-for-sale`, `listing/price-changed`, `recipient/invalid`
   */
  buy(
    sale: Once & {
      readonly tokenId: TokenId
      readonly price: Wei
      readonly recipient: Account
    },
  ): Promise<Receipt>
  /**
   * Rents a token to `recipient` at exactly `price` for all `days` together.
   *
   * @throws `token/not-found`, `listing/not-for-rent`, `listing/price-changed`,
   * `rental/bad-duration`, `rental/too-long`, `recipient/invalid`
   */
  rent(
    rental: Once & {
      readonly tokenId: TokenId
      readonly days: number
      readonly price: Wei
      readonly recipient: Account
    },
  ): Promise<Receipt & { readonly expiresAt: Instant }>
  /**
   * Mints a licensed fork of a token for `recipient` at exactly `price`.
   *
   * @throws `token/not-found`, `listing/not-for-fork`, `listing/price-changed`,
   * `listing/royalty-changed`, `lineage/too-deep`, `royalty/bad-share`, `recipient/invalid`
   */
  fork(
    fork: Once & {
      readonly tokenId: TokenId
      readonly price: Wei
      /** The most that all claims on the fork together may take of its prices, in basis points. */
      readonly maxRoyaltyBps: number
      readonly recipient: Account
    },
  ): Promise<Receipt & { readonly tokenId: TokenId }>
  /**
   * Pays `amount` to the creator of a token.
   *
   * @throws `token/not-found`, `royalty/zero`
   */
  payRoyalty(payment: Once & { readonly tokenId: TokenId; readonly amount: Wei }): Promise<Receipt>
}
