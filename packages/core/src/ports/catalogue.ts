import type { Account } from '../domain/account.ts'
import type {
  CataloguedToken,
  Earnings,
  HistoryEntry,
  Lineage,
  Rental,
} from '../domain/catalogued-token.ts'
import type { Hash } from '../domain/hash.ts'
import type { Wei } from '../domain/money.ts'
import type { Instant } from '../domain/time.ts'
import type { TokenId } from '../domain/token.ts'

/** A part of a long answer. */
export type Page<T> = {
  readonly items: readonly T[]
  /** Give it back to go on after the last item; absent at the end. */
  readonly next: string | undefined
}

/** What asks for a page. */
export type PageInput = {
  /** What an earlier page gave as `next`. */
  readonly after?: string | undefined
  /** 1 to 100. */
  readonly limit: number
}

/** The three ways to offer a token. */
export type Offer = 'sale' | 'rent' | 'fork'

/** The least and the greatest price that is wanted, in wei. */
export type PriceRange = { readonly min?: Wei | undefined; readonly max?: Wei | undefined }

/** Words to look for in cards, and what a card must say. */
export type CardQuery = {
  /**
   * Words that must all be found in title, tags, category or description, each as a beginning of a
   * word: at most 16 different ones, each of two letters or more and compared by its first 16. Words
   * of one letter are left out beside longer ones.
   */
  readonly search?: string | undefined
  readonly category?: string | undefined
  readonly tag?: string | undefined
}

/** Which live listings are wanted; what is absent does not matter. */
export type ListingsQuery = PageInput &
  CardQuery & {
    /** Every way in which it must be offered. */
    readonly offers?: readonly Offer[] | undefined
    readonly price?: PriceRange | undefined
    readonly rentalPricePerDay?: PriceRange | undefined
    readonly forkPrice?: PriceRange | undefined
    readonly seller?: Account | undefined
    readonly creator?: Account | undefined
    readonly parent?: TokenId | undefined
    /**
     * By a price only what is offered that way is told. Equals are told in the order of their ids.
     * By relevance the order is that of a search for tokens, whichever way is asked for; without
     * words to look for, the newest token comes first.
     */
    readonly sort:
      | 'listedAt'
      | 'tokenId'
      | 'price'
      | 'rentalPricePerDay'
      | 'forkPrice'
      | 'relevance'
    readonly descending: boolean
  }

/**
 * Which tokens are wanted; what is absent does not matter. They are told newest first. Where words
 * are looked for, cards that have all of them in the title come first, then those that need the tags
 * as well, then the category, then the description; of one rank the newest card, and of the tokens
 * that show it the newest. So a page ends without a look at all that matches.
 */
export type TokensQuery = PageInput &
  CardQuery & {
    readonly owner?: Account | undefined
    readonly creator?: Account | undefined
    readonly parent?: TokenId | undefined
    readonly contentHash?: Hash | undefined
    /** Who has or had a rental of it. */
    readonly renter?: Account | undefined
  }

/** What happened on the chain after an event, in its order. */
export type Happened = {
  readonly entries: readonly HistoryEntry[]
  /** The oldest block that no longer stands as the asker knew it; the entries begin with it. */
  readonly undoneFrom: bigint | undefined
}

/**
 * Answers questions about many tokens at once. It is read from the events of the contracts alone
 * and can be made again from nothing; it lags behind the ledger by as long as it takes to read
 * the newest block.
 *
 * Laws
 * - tells every token as the ledger does
 * - tells a token's owner, terms and rentals after every write as the ledger does
 * - tells live listings only
 * - tells every listing that matches, once, page by page
 * - tells listings in the order asked for
 * - keeps its place on a page while others are listed and taken down
 * - refuses a cursor it did not give with `request/malformed`
 * - tells the tokens of an owner, a creator, a parent, a renter and a content hash
 * - marks copies by what a memory was sealed with, whoever minted first
 * - tells a lineage with the kind of each link
 * - tells all that happened to a token, in its order
 * - tells what happened after an event, and nothing twice
 * - names the newest event
 * - finds cards by the beginnings of their words
 * - tells what a search finds by rank, then newest first, each once, page by page
 * - refuses a search of one letter, or of more than 16 words, with `request/malformed`
 * - shows the card of a memory with its licensed forks, and no card that speaks of another memory
 * - tells earnings that add up to the prices paid
 * - knows nothing of a token that was never minted
 */
export interface Catalogue {
  /**
   * Returns live listings.
   *
   * @throws `request/malformed` for a cursor or a search, `catalogue/busy`, `catalogue/too-costly`,
   * `catalogue/unavailable`
   */
  listings(query: ListingsQuery): Promise<Page<CataloguedToken>>
  /** Returns tokens. @throws what `listings` may fail with */
  tokens(query: TokensQuery): Promise<Page<CataloguedToken>>
  /** Returns a token. */
  token(tokenId: TokenId): Promise<CataloguedToken | undefined>
  /** Returns a token's kin, whose cards are without descriptions and previews. */
  lineage(tokenId: TokenId): Promise<Lineage | undefined>
  /** Returns what happened to a token, oldest first; `undefined` for one that was never minted. */
  history(tokenId: TokenId, page: PageInput): Promise<Page<HistoryEntry> | undefined>
  /** Returns the rentals of a token that end after a moment, the last to end first, at most `limit`. */
  rentals(tokenId: TokenId, after: Instant, limit: number): Promise<readonly Rental[]>
  /** Returns what an account has earned. */
  earnings(account: Account): Promise<Earnings>
  /**
   * Returns what happened after the event with an id, or from the beginning when it is absent, at
   * most `limit` entries of all tokens. An id that no longer stands, or never did, is answered with
   * all that came in its block's place and after it.
   */
  happened(after: string | undefined, limit: number): Promise<Happened>
  /** Returns the id of the newest event, after which nothing has happened yet; `undefined` before the first. */
  newest(): Promise<string | undefined>
  /** Calls back whenever there may be more to tell; returns what ends that. */
  onChange(call: () => void): () => void
}
