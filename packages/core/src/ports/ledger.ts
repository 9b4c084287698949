import type { Registry } from '../bundles/seal-context.ts'
import type { Access, Holding } from '../tokens/access.ts'
import type { Listing, Terms } from '../tokens/listing.ts'
import type { Provenance } from '../tokens/provenance.ts'
import type { Budget, Idempotency } from '../tokens/write-terms.ts'
import type { Account, Digest, Hash, Hex, Instant, TokenId, Wei } from '../values/branded.ts'
import type { HoldId } from './names.ts'

/** A write that the chain has accepted. */
export type Receipt = { readonly txHash: Hex }

/** The methods of a ledger that write: those that return a receipt. */
export type LedgerWrite = {
  // `recall` names the writes itself, and to look at it here would be circular.
  [name in Exclude<keyof Ledger, 'recall'>]: Ledger[name] extends (input: never) => Promise<Receipt>
    ? name
    : never
}[Exclude<keyof Ledger, 'recall'>]

const isWrite: Readonly<Record<LedgerWrite, true>> = {
  mint: true,
  list: true,
  buy: true,
  rent: true,
  fork: true,
  payRoyalty: true,
}

/** The names of the methods of a ledger that write. */
export const ledgerWrites = Object.keys(isWrite) as readonly LedgerWrite[]

/** The result of a write. */
export type WriteResult<write extends LedgerWrite> = Awaited<ReturnType<Ledger[write]>>

/** The EIP-712 hash of a value, which an account signs as it is. */
export type TypedHash = { readonly typedHash: Hex }

/** A claim that an account signed a message: a text (EIP-191), or a value by its hash (EIP-712). */
export type Statement = {
  readonly account: Account
  readonly message: string | TypedHash
  readonly signature: Hex
}

/** A signature of an account, and the message that it signed, or several of which it signed one. */
export type SignedText = Omit<Statement, 'message'> & {
  readonly message: Statement['message'] | readonly string[]
}

/** The options of every write. */
type WriteOptions = {
  readonly idempotency?: Idempotency | undefined
  /** The budget that pays; a ledger that counts spending refuses a write that exceeds it. */
  readonly budget?: Budget | undefined
}

/** The result of a mint. */
export type MintResult = Receipt & {
  readonly tokenId: TokenId
  readonly contentHash: Hash
  readonly digest: Digest
  /** When the ledger accepted the write, in milliseconds. */
  readonly acceptedAt: Instant
}

/**
 * Records who created, owns, rents and offers each token, and moves the money. A write returns
 * once the chain has accepted it; a write that fails changes nothing. Any write may fail with
 * `wallet/shared`, `wallet/short`, `wallet/call-limit`, `wallet/day-limit`, `api-key/call-limit`, `api-key/day-limit`,
 * `ledger/unavailable`, `store/unavailable`, `transaction/unconfirmed`, `transaction/unknown`,
 * `transaction/cancelled`, `transaction/reverted` or `idempotency/key-reused`, and any read with
 * `ledger/unavailable`.
 *
 * A write with an idempotency key is made once, however often it is called: the second and every
 * later call with this key returns the result of the first.
 *
 * Laws
 * - names the same registry for every wallet
 * - records the content, parent and owner of a mint
 * - numbers tokens consecutively from 1
 * - mints to the recipient and names the payer as creator
 * - emits the card of a mint that has one and of no other
 * - refuses an unknown parent with `token/not-found`
 * - refuses the parent 0 and the content hash 0
 * - refuses a recipient that cannot hold a token with `recipient/invalid`
 * - returns nothing for a token that was never minted
 * - returns a listing as it was made
 * - returns zero prices and the zero address as seller for an unlisted token
 * - returns a listing in dollars as it was made, with prices of zero in wei
 * - refuses a listing in two currencies with `listing/two-currencies`
 * - refuses a listing by anyone but the owner with `listing/not-owner`
 * - refuses a price above the limit with `listing/price-too-high`
 * - refuses a share that is not 0 to 10000 whole basis points with `royalty/bad-share`
 * - ends a listing for ever when the token is transferred
 * - sells at the exact price and pays the seller
 * - refuses to sell a token that is not for sale with `listing/not-for-sale`
 * - refuses to sell at another price with `listing/price-changed`
 * - refuses wei for a token that is listed in dollars with `listing/currency-changed`
 * - carries out a paid order in dollars for its recipient and moves no wei
 * - splits a price in dollars among the claims on the token
 * - settles an order with the dollars at its own address, once, and gives the rest back
 * - refunds an order to the account that it names, and to strangers no order that may be carried out
 * - rents to the recipient for the days paid
 * - renews from the end of the running rental
 * - refuses a rental beyond 365 days ahead with `rental/too-long`
 * - refuses a rental that is not 1 to 365 whole days with `rental/bad-duration`
 * - refuses to rent a token that is not for rent with `listing/not-for-rent`
 * - keeps rentals when the token is sold
 * - returns the source of a token through its licensed forks
 * - counts the transfers of a token, each sale among them
 * - forks with the content of the parent and the payer as creator
 * - refuses to fork a token that is not for fork with `listing/not-for-fork`
 * - refuses a fork whose royalties exceed the accepted total with `listing/royalty-changed`
 * - returns the total royalty that a fork would owe
 * - splits the price of a licensed fork among the claims on it
 * - never reduces an ancestor's claim by a fork
 * - caps the claims on a token at its whole price
 * - keeps only the eight oldest claims
 * - refuses to fork a token at the depth limit of its lineage with `lineage/too-deep`
 * - pays a royalty to the creator of the token
 * - refuses a write that the wallet cannot pay with `wallet/short`
 * - accepts the signatures of an account and no others
 * - accepts the signatures that a contract wallet recognises and no others
 * - accepts the own signature of a creator and no others
 * - accepts of a creator with code what its contract recognises and no others
 * - lets one of two racing buyers win
 * - returns the first result again for the same key and request
 * - makes a write once when two requests with its key arrive at the same time
 * - refuses a key that is reused for another request with `idempotency/key-reused`
 * - releases the key of a write that failed without effect
 */
export interface Ledger {
  /** The account that signs and pays every write. */
  readonly agent: Account
  /** The registry that holds its tokens. */
  readonly registry: Registry
  /** Returns the rights of an account to a token, all read at one block. */
  access(tokenId: TokenId, account: Account): Promise<Access | undefined>
  /**
   * Returns the ownership of a token, all read at one block that is named by its hash; `undefined` also
   * where the newest block has another one than the block with enough confirmations.
   */
  holding(tokenId: TokenId): Promise<Holding | undefined>
  /** Returns the permanent record of a token. */
  provenance(tokenId: TokenId): Promise<Provenance | undefined>
  /** Returns the live terms of a token. */
  listing(tokenId: TokenId): Promise<Listing | undefined>
  /**
   * Returns whether `account` signed `message`, or one of several texts, without a call to any
   * contract. `undefined` means that only a contract can tell: there is one at `account`, or the
   * signature is longer than an account's.
   */
  isSignedByKey(statement: SignedText): Promise<boolean | undefined>
  /**
   * Returns whether the contract at `account` recognises the signature (ERC-1271), or would
   * recognise it once it is deployed (ERC-6492). The contract runs foreign code, so call this only
   * for an account that has a right to the token. Gas and concurrency are bounded.
   *
   * @throws `service/busy` when too many calls wait
   */
  isSignedByContract(statement: Statement): Promise<boolean>
  /**
   * Returns whether `account` signed `message` in a way that only the creator of a token can: an
   * account without code by its key, any other by its contract, also where it has a key (EIP-7702).
   * The account may be a stranger's, so a contract has less room than in `isSignedByContract`, and
   * takes none from it; one with a right to a token is an `owner`, and has the room of these.
   *
   * @throws `service/busy` when too many calls wait
   */
  isSignedByCreator(statement: Statement, rank?: 'owner'): Promise<boolean>
  /**
   * Returns the result of the write with an idempotency key, and waits for a write in progress;
   * `undefined` when there is none. The key of a write that failed without effect on the chain is
   * free again.
   *
   * @throws `idempotency/key-reused` when the key belongs to another request or another kind of
   * write, and the failure of the write itself
   */
  recall<write extends LedgerWrite>(
    write: write,
    idempotency: Idempotency,
  ): Promise<WriteResult<write> | undefined>
  /**
   * Mints a token for `recipient`. With an idempotency key that was used before, returns the token
   * that was minted then. Once its transaction is signed, a mint fails with `transaction/…` alone.
   *
   * @throws `token/not-found` for the parent, `recipient/invalid`, `value/invalid` for a content
   * hash of zero, `name/moved` for a hold that was given up
   */
  mint(
    token: WriteOptions & {
      readonly contentHash: Hash
      readonly digest: Digest
      readonly parent: TokenId | undefined
      readonly recipient: Account
      /** The digest of its card; the chain emits it in an event and does not check it. */
      readonly card?: Digest | undefined
      /** The hold of a name that this mint decides; one that was given up is not minted. */
      readonly hold?: HoldId | undefined
    },
  ): Promise<MintResult>
  /**
   * Sets the terms of a token that the agent owns; all zero takes the listing down.
   *
   * @throws `token/not-found`, `listing/not-owner`, `listing/price-too-high`, `royalty/bad-share`,
   * `listing/two-currencies`, `dollar/missing` where the contracts have no dollar
   */
  list(offer: WriteOptions & Terms & { readonly tokenId: TokenId }): Promise<Receipt>
  /**
   * Buys a token for `recipient` at exactly `price`.
   *
   * @throws `token/not-found`, `listing/not-for-sale`, `listing/price-changed`,
   * `listing/currency-changed`, `recipient/invalid`
   */
  buy(
    sale: WriteOptions & {
      readonly tokenId: TokenId
      readonly price: Wei
      readonly recipient: Account
    },
  ): Promise<Receipt>
  /**
   * Rents a token to `recipient` for `days` at exactly `price`, the total of all days.
   *
   * @throws `token/not-found`, `listing/not-for-rent`, `listing/price-changed`,
   * `listing/currency-changed`, `rental/bad-duration`, `rental/too-long`, `recipient/invalid`
   */
  rent(
    rental: WriteOptions & {
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
   * `listing/currency-changed`, `listing/royalty-changed`, `lineage/too-deep`, `royalty/bad-share`,
   * `recipient/invalid`
   */
  fork(
    fork: WriteOptions & {
      readonly tokenId: TokenId
      readonly price: Wei
      /**
       * The highest total of all royalties on the fork that the caller accepts, in basis points.
       */
      readonly maxRoyaltyBps: number
      readonly recipient: Account
    },
  ): Promise<Receipt & { readonly tokenId: TokenId }>
  /**
   * Pays `amount` to the creator of a token.
   *
   * @throws `token/not-found`, `royalty/zero`
   */
  payRoyalty(
    payment: WriteOptions & { readonly tokenId: TokenId; readonly amount: Wei },
  ): Promise<Receipt>
}
