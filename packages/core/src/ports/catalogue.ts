import type {
  CataloguedToken,
  Earning,
  Earnings,
  HistoryEntry,
  Lineage,
  Rental,
  TitledToken,
} from '../tokens/catalogued-token.ts'
import type { RatedToken } from '../tokens/rating.ts'
import type { EventKind } from '../tokens/token-event.ts'
import type { Account, Currency, Dollars, Hash, Instant, TokenId, Wei } from '../values/branded.ts'

/** A page of a list. */
export type Page<T> = {
  readonly items: readonly T[]
  /** The cursor of the next page, to pass as `after`; absent at the end. */
  readonly next: string | undefined
}

/** The part of a list to return. */
export type PageInput = {
  /** The `next` of an earlier page. */
  readonly after?: string | undefined
  /** The largest number of items, 1 to 100. */
  readonly limit: number
}

/** The three ways to offer a token. */
export type Offer = 'sale' | 'rent' | 'fork'

/** The lowest and the highest matching price. */
export type PriceRange<Amount extends Wei | Dollars = Wei | Dollars> = {
  readonly min?: Amount | undefined
  readonly max?: Amount | undefined
}

/** The ranges of the prices of a listing, all in one currency. */
export type PriceRanges<Amount extends Wei | Dollars> = {
  readonly price?: PriceRange<Amount> | undefined
  readonly rentalPricePerDay?: PriceRange<Amount> | undefined
  readonly forkPrice?: PriceRange<Amount> | undefined
}

/** A filter of cards. */
export type CardQuery = {
  /**
   * Words that must all occur in title, tags, category or description, each as the prefix of a
   * word: at most 16 different words of two letters or more, compared by their first 16 letters.
   * Words of one letter, and those of a question such as “how”, are ignored beside others.
   */
  readonly search?: string | undefined
  /**
   * `any` matches the cards that have some of the words, in any form that begins alike; a word that
   * no card has stands for the most similar one; at most the 1,000 best cards match. In the order of relevance those with all words come
   * first, then those with rarer words and with words of the title.
   */
  readonly match?: 'all' | 'any' | undefined
  /** The name of the format that the memory was imported from, as its excerpts show. */
  readonly format?: string | undefined
  readonly category?: string | undefined
  readonly tag?: string | undefined
}

/**
 * A filter of live listings; an absent member matches every listing. Listings without a price have
 * the native currency. Without a currency, ranges and orders of prices are in wei and leave out the
 * listings in dollars, while all else matches listings in any currency.
 */
export type ListingsFilter = CardQuery &
  (
    | ({ readonly currency?: 'native' | undefined } & PriceRanges<Wei>)
    | ({ readonly currency: 'dollar' } & PriceRanges<Dollars>)
  ) & {
    /** The offers that a listing must all make. */
    readonly offers?: readonly Offer[] | undefined
    readonly seller?: Account | undefined
    readonly creator?: Account | undefined
    /** The account that made the memory: of a licensed fork the creator of its source. */
    readonly maker?: Account | undefined
    readonly parent?: TokenId | undefined
    /** A token of the family. */
    readonly family?: TokenId | undefined
    /**
     * Sorting by a price returns only the listings that make this offer; sorting by the accounts
     * that rented a token, by its licensed forks or by its ratings, only those that have some. Equal
     * listings are in the order of their ids. `relevance` is the order of a search for tokens, whatever `descending`
     * says; without words to search, the newest token comes first.
     */
    readonly sort:
      | 'listedAt'
      | 'tokenId'
      | 'price'
      | 'rentalPricePerDay'
      | 'forkPrice'
      | 'rentals'
      | 'forks'
      | 'ratings'
      | 'relevance'
    /** The tokens that an order by ratings returns, which are not events, and what each is worth. */
    readonly rated?: readonly RatedToken[] | undefined
  }

/** A filter, an order and a page of live listings. */
export type ListingsQuery = PageInput &
  ListingsFilter & {
    readonly descending: boolean
    /**
     * `family` returns of each family only one of the listings that match: the newest version that
     * its first owner still has, otherwise the newest one, otherwise the first in the order. In an
     * order of prices it is the first, and of those at one price the one that this rule names. By
     * relevance, the place of a version is that of its card.
     */
    readonly group?: 'family' | undefined
  }

/** The figures of the whole market. */
export type MarketFigures = {
  /** The rentals that began since a time. */
  readonly rentals: number
  /** All payments to owners and makers. */
  readonly paid: { readonly native: Wei; readonly dollar: Dollars }
}

/** A value and the number of listings that have it. */
export type FacetCount<Value extends string = string> = {
  readonly value: Value
  readonly count: number
}

/**
 * The numbers of the listings that match a filter: in all, and with each value that could be added to
 * the filter. The values with the most listings come first, at most 20 of a kind; values with as many
 * are in the order of their code points.
 */
export type Facets = {
  /** The number of matching listings. */
  readonly total: number
  /** Whether more listings match; then only the 20,000 with the greatest ids are counted. */
  readonly isCut: boolean
  /** The number of families of these listings. */
  readonly families: number
  readonly offers: Readonly<Record<Offer, number>>
  readonly currencies: Readonly<Record<Currency, number>>
  readonly categories: readonly FacetCount[]
  readonly tags: readonly FacetCount[]
  readonly makers: readonly FacetCount<Account>[]
  /** The formats that memories were imported from. */
  readonly formats: readonly FacetCount[]
  /** The words of a search for some words that no card has, nor one similar to them. */
  readonly leftOut: readonly string[]
  /**
   * The search with each unknown word replaced by the most similar word of all cards; absent where
   * something matches, no word is unknown, or an unknown word is similar to none.
   */
  readonly correction: string | undefined
  /** The figures of the whole market, whatever the filter; absent without a time that they begin at. */
  readonly market?: MarketFigures | undefined
}

/**
 * A filter of tokens; an absent member matches every token. Tokens come newest first. With words
 * to search, the tokens whose cards have all words in the title come first, then those that also
 * need the tags, then the category, then the description. Within one rank the newest card comes
 * first, and among the tokens that show one card the newest token. This order lets a page end
 * before all matches are read.
 */
export type TokensQuery = PageInput &
  CardQuery & {
    readonly tokenId?: TokenId | undefined
    readonly owner?: Account | undefined
    readonly creator?: Account | undefined
    readonly parent?: TokenId | undefined
    readonly contentHash?: Hash | undefined
    /** An account that rents the token or rented it before. */
    readonly renter?: Account | undefined
  }

/** The descendants of a lineage to return; an absent member leaves out none. */
export type LineagePart = {
  /** The id that they begin after, to go on with what was cut. */
  readonly after?: TokenId | undefined
  /** The most of them, and never more than 500. */
  readonly limit?: number | undefined
}

/** The part of the activity to return; an absent member matches every event. */
export type ActivityQuery = PageInput & {
  /** An account that the events name. */
  readonly account?: Account | undefined
  /** The token of the events. */
  readonly tokenId?: TokenId | undefined
  /** The kinds of the events. */
  readonly kinds?: readonly EventKind[] | undefined
}

/** The events after an event, in the order of the chain. */
export type EventBatch = {
  readonly entries: readonly HistoryEntry[]
  /** The first block reorganised since the given event; `entries` begin with this block. */
  readonly reorganisedFrom: bigint | undefined
}

/**
 * Answers queries over many tokens. It is a read model of the contracts' events alone, and can be
 * rebuilt from them. It lags behind the ledger by the time that it needs to read the newest block.
 *
 * Laws
 * - returns the same record of every token as the ledger
 * - returns the source of a licensed fork, with its creator
 * - returns the same owner, terms and rentals as the ledger after every write
 * - returns live listings only
 * - returns every matching listing once, page by page
 * - returns listings in the requested order
 * - compares prices in one currency only
 * - returns of each family its newest version, or its first listing by price, and their numbers
 * - counts the listings that match a filter, with each value that can be added to it
 * - corrects the words of a search that no card has
 * - continues a list at the same place while other tokens are listed and taken down
 * - refuses a cursor that it did not issue with `request/malformed`
 * - finds tokens by id, owner, creator, parent, renter and content hash
 * - marks copies by the seal of a memory and not by the order of mints
 * - shows the excerpts of a memory, as proven only where it was sealed for its source
 * - returns the titles of the cards that tokens show
 * - returns a lineage with the kind of each link
 * - goes on with the descendants of a lineage after an id
 * - returns all events of a token in the order of the chain
 * - returns the events of acts in dollars
 * - returns the events of heirs, of no token
 * - returns the accounts that name an heir now
 * - returns the events of a token, an account or some kinds, newest first, each once, page by page
 * - returns the events after an event, each once
 * - returns the id of the newest event
 * - finds cards by prefixes of their words
 * - returns search results by rank, then newest first, each once, page by page
 * - finds cards with some words of a search, those with all first
 * - ranks rarer words and words of the title higher in a search for some words
 * - finds and counts memories by the format that they were imported from
 * - returns the most rented, the most forked and the best rated listings first
 * - refuses a search of one letter, or of more than 16 words, with `request/malformed`
 * - shows a memory's card on its licensed forks and never the card of another memory
 * - returns earnings that add up to the prices paid
 * - returns earnings in dollars apart from those in wei
 * - returns each earning of an account, newest first, each once, page by page, which add up to the prices paid
 * - returns nothing for a token that was never minted
 */
export interface Catalogue {
  /**
   * Returns live listings.
   *
   * @throws `request/malformed` for a cursor or a search, `catalogue/busy`, `catalogue/too-costly`,
   * `catalogue/unavailable`
   */
  listings(query: ListingsQuery): Promise<Page<CataloguedToken>>
  /**
   * Returns the numbers of the listings that match a filter, and with `since` those of the market.
   *
   * @throws the failures of `listings`
   */
  facets(filter: ListingsFilter, since?: Instant): Promise<Facets>
  /** Returns tokens. @throws the failures of `listings` */
  tokens(query: TokensQuery): Promise<Page<CataloguedToken>>
  /** Returns a token. */
  token(tokenId: TokenId): Promise<CataloguedToken | undefined>
  /** Returns the titles of the tokens that show a card, in any order. @throws the failures of `listings` */
  titles(tokenIds: readonly TokenId[]): Promise<readonly TitledToken[]>
  /**
   * Returns the ancestors and descendants of a token, their cards without descriptions and
   * previews.
   */
  lineage(tokenId: TokenId, part?: LineagePart): Promise<Lineage | undefined>
  /** Returns the events of a token, oldest first; `undefined` when it was never minted. */
  history(tokenId: TokenId, page: PageInput): Promise<Page<HistoryEntry> | undefined>
  /** Returns at most `limit` rentals of a token that end after `after`, the last to end first. */
  rentals(tokenId: TokenId, after: Instant, limit: number): Promise<readonly Rental[]>
  /** Returns the earnings of an account. */
  earnings(account: Account): Promise<Earnings>
  /**
   * Returns each earning of an account, newest first. A page ends after a number of events, and so may
   * have fewer items than its limit, or none, before the last page.
   *
   * @throws `request/malformed` for a cursor of another list
   */
  eachEarning(account: Account, page: PageInput): Promise<Page<Earning>>
  /**
   * Returns the accounts whose heir is an account, the last to name it first.
   *
   * @throws `request/malformed` for a cursor of another list
   */
  heirOf(heir: Account, page: PageInput): Promise<Page<Account>>
  /**
   * Returns the events of all tokens or of one, newest first; of an account those that name it, and of
   * some kinds only those. A page ends after 20,000 searched events, and so may have fewer items than
   * its limit, or none, before the last page.
   *
   * @throws the failures of `listings`
   */
  activity(query: ActivityQuery): Promise<Page<HistoryEntry>>
  /**
   * Returns at most `limit` events of all tokens after the event with the id `after`, or from the
   * beginning when it is absent. When this event was reorganised, or never existed, returns the
   * events from its block number on.
   */
  eventsAfter(after: string | undefined, limit: number): Promise<EventBatch>
  /** Returns the id of the newest event; `undefined` before the first. */
  newestEventId(): Promise<string | undefined>
  /**
   * Calls `call` whenever there may be new events; returns a function that ends the subscription.
   */
  onChange(call: () => void): () => void
}
