import type { Account } from './account.ts'
import type { Card } from './card.ts'
import type { Digest, Hash, Hex } from './hash.ts'
import type { Terms } from './listing.ts'
import type { Wei } from './money.ts'
import type { Originality } from './originality.ts'
import type { Provenance } from './provenance.ts'
import type { ForkRoyalty } from './royalty.ts'
import type { Instant } from './time.ts'
import type { TokenId } from './token.ts'

/** A token as the catalogue shows it. */
export type CataloguedToken = Provenance &
  ForkRoyalty & {
    readonly owner: Account
    /** The share that its fork added for its parent's creator; absent when it is no licensed fork. */
    readonly royaltyBps: number | undefined
    /** The live terms; all zero when it is not listed. */
    readonly terms: Terms
    /** When the live terms were set; absent when it is not listed. */
    readonly listedAt: Instant | undefined
    readonly originality: Originality
    /** What its maker shows of it; a licensed fork shows the card of the memory it shares. */
    readonly card: Card | undefined
    readonly mintedIn: Place
  }

/** Where on the chain something happened. */
export type Place = {
  readonly block: bigint
  readonly blockHash: Hash
  /** The place of the event among all events of its block. */
  readonly logIndex: number
  readonly txHash: Hex
  /** The time of the block, to the second. */
  readonly at: Instant
}

/** What can happen to a token, and what is told of it. */
export type Happening =
  | {
      readonly kind: 'mint'
      readonly creator: Account
      readonly parent: TokenId | undefined
      readonly royaltyBps: number | undefined
      readonly contentHash: Hash
    }
  | { readonly kind: 'card'; readonly digest: Digest }
  | { readonly kind: 'transfer'; readonly from: Account | undefined; readonly to: Account }
  | ({ readonly kind: 'listing'; readonly seller: Account } & Terms)
  | {
      readonly kind: 'sale'
      readonly seller: Account
      readonly buyer: Account
      readonly recipient: Account
      readonly price: Wei
    }
  | {
      readonly kind: 'rental'
      readonly owner: Account
      readonly renter: Account
      readonly payer: Account
      readonly expiresAt: Instant
      readonly paid: Wei
    }
  | {
      /** Told of the parent; the child has its own `mint`. */
      readonly kind: 'fork'
      readonly child: TokenId
      readonly forker: Account
      readonly recipient: Account
      readonly royaltyBps: number
      readonly price: Wei
    }
  | {
      readonly kind: 'royalty'
      readonly to: Account
      readonly from: Account
      readonly amount: Wei
    }

/** Something that happened to a token. `id` is `<block>-<logIndex>-<first 8 digits of the block's hash>`. */
export type HistoryEntry = Place & Happening & { readonly id: string; readonly tokenId: TokenId }

/** A rental that still runs, or did. */
export type Rental = {
  readonly tokenId: TokenId
  readonly renter: Account
  readonly expiresAt: Instant
}

/** How a token is tied to its parent: by a fork that was paid for, or by a statement of its maker. */
export type Link = 'fork' | 'declared'

/** Returns how a token is tied to its parent; `undefined` for a root. */
export function linkOf({ parent, royaltyBps }: CataloguedToken): Link | undefined {
  if (parent === undefined) return undefined
  return royaltyBps === undefined ? 'declared' : 'fork'
}

/** A token among its kin. */
export type Relative = {
  readonly token: CataloguedToken
  /** The tie to its own parent; absent for a root. */
  readonly link: Link | undefined
}

/** Where a token comes from and what came of it. */
export type Lineage = {
  readonly token: CataloguedToken
  readonly link: Link | undefined
  /** Nearest first, up to the root or 64 generations. */
  readonly ancestors: readonly Relative[]
  /** In the order of their ids, at most 500. */
  readonly descendants: readonly Relative[]
  /** Tells whether there are more ancestors or descendants than are told. */
  readonly isCut: boolean
}

/** What an account has earned through the marketplace, in wei. */
export type Earnings = {
  /** What sales, rentals and forks left to it as the owner, after royalties. */
  readonly sales: Wei
  readonly rentals: Wei
  readonly forks: Wei
  /** What it received as a creator. */
  readonly royalties: Wei
  /** What could not be paid out and waits to be withdrawn. */
  readonly credit: Wei
}

/** Returns a relative without what its card says at length: hundreds of them are told together. */
export function inShort({ token, link }: Relative): Relative {
  if (token.card === undefined) return { token, link }
  const { description: _description, preview: _preview, ...card } = token.card
  return { token: { ...token, card }, link }
}
