/** What a memory shows of itself. */
export type Card = {
  readonly title: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly category?: string
  readonly preview?: string
}

/** The live terms of a token; amounts are decimal strings of wei. */
export type Listing = {
  readonly seller: string
  readonly price: string
  readonly rentalPricePerDay: string
  readonly forkPrice: string
  readonly forkRoyaltyBps: number
  readonly isForSale: boolean
  readonly isForRent: boolean
  readonly isForFork: boolean
  readonly listedAt: string
}

export type Link = 'fork' | 'declared'

export type Token = {
  readonly tokenId: string
  readonly contentHash: string
  readonly storageUri: string
  readonly creator: string
  readonly owner: string
  /** `0` for a root. */
  readonly parent: string
  readonly link: Link | null
  readonly royaltyBps: number | null
  readonly timestamp: string
  readonly block: string
  readonly txHash: string
  readonly isEarliest: boolean
  readonly card: Card | null
  readonly listing: Listing | null
}

export type Page<T> = { readonly items: readonly T[]; readonly next: string | null }

export type Relative = { readonly token: Token; readonly link: Link | null }

export type Split = {
  readonly price: string
  readonly royalties: readonly {
    readonly to: string
    readonly amount: string
    readonly tokenId: string
  }[]
  readonly rest: string
}

export type Lineage = {
  readonly token: Token
  readonly link: Link | null
  readonly ancestors: readonly Relative[]
  readonly descendants: readonly Relative[]
  readonly isCut: boolean
  readonly split: Split
}

type Place = {
  readonly id: string
  readonly tokenId: string
  readonly block: string
  readonly timestamp: string
  readonly txHash: string
  readonly logIndex: number
}

type Terms = Pick<Listing, 'price' | 'rentalPricePerDay' | 'forkPrice' | 'forkRoyaltyBps'>

export type Event = Place &
  (
    | { readonly kind: 'mint'; readonly creator: string; readonly parent: string }
    | { readonly kind: 'card' }
    | { readonly kind: 'transfer'; readonly from: string | null; readonly to: string }
    | ({ readonly kind: 'listing'; readonly seller: string } & Terms)
    | {
        readonly kind: 'sale'
        readonly seller: string
        readonly buyer: string
        readonly recipient: string
        readonly price: string
      }
    | {
        readonly kind: 'rental'
        readonly renter: string
        readonly payer: string
        readonly expiresAt: string
        readonly paid: string
      }
    | {
        readonly kind: 'fork'
        readonly child: string
        readonly forker: string
        readonly recipient: string
        readonly royaltyBps: number
        readonly price: string
      }
    | {
        readonly kind: 'royalty'
        readonly to: string
        readonly from: string
        readonly amount: string
      }
  )

export type Rental = {
  readonly tokenId: string
  readonly renter: string
  readonly expiresAt: string
}

export type Integrity = {
  readonly tokenId: string
  readonly present: boolean
  readonly bytes: number | null
  readonly matches: boolean
}

/** What an account has earned, in wei. */
export type Earnings = {
  readonly sales: string
  readonly rentals: string
  readonly forks: string
  readonly royalties: string
  readonly credit: string
}

export type Deployment = {
  readonly chainId: number
  readonly registry: `0x${string}`
  readonly marketplace: `0x${string}`
  readonly agent: `0x${string}`
}

/** What the server answers after a mint. */
export type Minted = {
  readonly tokenId: string
  readonly contentHash: string
  readonly storageUri: string
  readonly txHash: string
  readonly timestamp: number
}
