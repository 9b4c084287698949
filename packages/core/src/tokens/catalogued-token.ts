import type { Card } from '../bundles/card.ts'
import type { Sample } from '../bundles/excerpts.ts'
import type { Originality } from '../bundles/seal-context.ts'
import type {
  Account,
  Currency,
  Dollars,
  Hash,
  Hex,
  Instant,
  TokenId,
  Wei,
} from '../values/branded.ts'
import type { LiveTerms } from './listing.ts'
import type { Provenance } from './provenance.ts'
import type { ForkRoyalty } from './royalty.ts'
import type { TokenEvent } from './token-event.ts'

/** A token as the catalogue returns it. */
export type CataloguedToken = Provenance &
  ForkRoyalty & {
    readonly owner: Account
    /**
     * The share that its fork added for its parent's creator, in basis points; absent without a
     * licence.
     */
    readonly royaltyBps: number | undefined
    /** The live terms; all zero when it is not listed. */
    readonly terms: LiveTerms
    /** When the live terms were set; absent when it is not listed. */
    readonly listedAt: Instant | undefined
    readonly originality: Originality
    /** The card of its memory; a licensed fork has the card of its source. */
    readonly card: Card | undefined
    /** When its memory was erased; absent unless it was. */
    readonly erasedAt?: Instant | undefined
    /** The excerpts of its memory; a licensed fork has those of its source. */
    readonly sample: Sample | undefined
    readonly mintedIn: LogPosition
    /** The token that a licensed fork goes back to; absent for other tokens. */
    readonly source?: Source | undefined
    /** Its family; only in a list that is grouped by family. */
    readonly family?: Family | undefined
    /** The number of accounts that have rented it; only in a list that is ordered by that. */
    readonly renters?: number | undefined
  }

/** The token that licensed forks go back to: the memory that they hold was minted with it. */
export type Source = {
  readonly tokenId: TokenId
  readonly creator: Account
}

/**
 * A memory with its versions and the licensed forks of all these, as a list that is grouped shows them. A
 * version is a token that its maker declared to derive from a memory of its own with the same title, and that was minted to the same account.
 */
export type Family = {
  /** The version whose memory is shown, which may not be listed itself. */
  readonly tokenId: TokenId
  /** The number of matching listings of the family. */
  readonly listings: number
  /** The number of versions among these listings. */
  readonly versions: number
}

/** The position of an event on the chain. */
export type LogPosition = {
  readonly block: bigint
  readonly blockHash: Hash
  /** The index of the event among all events of its block. */
  readonly logIndex: number
  readonly txHash: Hex
  /** The time of the block, to the second. */
  readonly at: Instant
}

/**
 * An event of a token and its position. `id` is `<block>-<logIndex>-<first 8 digits of the block's
 * hash>`.
 */
export type HistoryEntry = LogPosition &
  TokenEvent & { readonly id: string; readonly tokenId: TokenId }

/** A running or expired rental. */
export type Rental = {
  readonly tokenId: TokenId
  readonly renter: Account
  readonly expiresAt: Instant
}

/** The kind of a token's link to its parent: a licensed fork, or only declared by its creator. */
export type Link = 'fork' | 'declared'

/** Returns the link of a token to its parent; `undefined` for a root. */
export function linkOf({ parent, royaltyBps }: CataloguedToken): Link | undefined {
  if (parent === undefined) return undefined
  return royaltyBps === undefined ? 'declared' : 'fork'
}

/** An ancestor or descendant of a token. */
export type Relative = {
  readonly token: CataloguedToken
  /** The link to its own parent; absent for a root. */
  readonly link: Link | undefined
}

/** The ancestors and descendants of a token. */
export type Lineage = {
  readonly token: CataloguedToken
  readonly link: Link | undefined
  /** The nearest first, up to the root or 64 generations. */
  readonly ancestors: readonly Relative[]
  /** In the order of their ids, at most 500. */
  readonly descendants: readonly Relative[]
  /** Whether ancestors or descendants are missing here because of these limits. */
  readonly isCut: boolean
}

/** The earnings of an account in one currency. */
export type EarningsIn<Amount extends Wei | Dollars> = {
  /** The earnings from sales as the seller, after royalties; `rentals` and `forks` likewise. */
  readonly sales: Amount
  readonly rentals: Amount
  readonly forks: Amount
  /** The royalties received as a creator. */
  readonly royalties: Amount
  /** The amount that could not be paid out and can be withdrawn. */
  readonly credit: Amount
}

/** The kinds of earnings. */
export type EarningKind = 'sales' | 'rentals' | 'forks' | 'royalties'

/** A payment that an account received through the marketplace, after royalties. */
export type Earning = {
  readonly kind: EarningKind
  readonly currency: Currency
  /** In wei, or in millionths of a dollar. */
  readonly amount: bigint
  /** The id of the event that paid. */
  readonly event: string
  readonly tokenId: TokenId
  readonly txHash: Hex
  readonly at: Instant
}

/** The earnings of an account through the marketplace: in wei, and apart from them in dollars. */
export type Earnings = EarningsIn<Wei> & { readonly dollars: EarningsIn<Dollars> }

/**
 * Returns a relative without its card's description and preview and without its excerpts, because a
 * lineage has hundreds.
 */
export function trimCard({ token, link }: Relative): Relative {
  const bare = { ...token, sample: undefined }
  if (token.card === undefined) return { token: bare, link }
  const { description: _description, preview: _preview, ...card } = token.card
  return { token: { ...bare, card }, link }
}

/** The title of the card that a token shows, and the digest of its sealed memory. */
export type TitledToken = Pick<CataloguedToken, 'tokenId' | 'digest'> & Pick<Card, 'title'>
