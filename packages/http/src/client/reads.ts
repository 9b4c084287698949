import type { OperationName } from '../api/operations/paths.ts'
import type {
  ActivityQuery,
  AmountInput,
  FacetsQuery,
  ListingsQuery,
  MemoriesQuery,
  PageQuery,
  Recipient,
  TokenIdInput,
} from './requests.ts'
import type {
  Deployment,
  Earning,
  Earnings,
  Event,
  Excerpts,
  Facets,
  Heir,
  Integrity,
  Lineage,
  Listing,
  Page,
  Profiles,
  Provenance,
  RatingCounts,
  Ratings,
  Rentals,
  Titles,
  Token,
  Wallet,
} from './responses.ts'
import { badResponse } from './transport/decode-response.ts'
import { readsOver } from './transport/reads-over.ts'
import { encodeTokenId } from './transport/request-line.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

type Options = Pick<CallOptions, 'signal'>

/** The calls that read; they change nothing and cost nothing. */
export type Reads = {
  /** Returns the record of a token on the chain. */
  readonly info: (tokenId: TokenIdInput, options?: Options) => Promise<Provenance>
  /** Returns the current terms of a token. */
  readonly listing: (tokenId: TokenIdInput, options?: Options) => Promise<Listing>
  /** Finds listed tokens. */
  readonly listings: (query?: ListingsQuery, options?: Options) => Promise<Page<Token>>
  /** Counts listed tokens: all that match, and those with each category, tag, creator and offer. */
  readonly facets: (query?: FacetsQuery, options?: Options) => Promise<Facets>
  /** Finds tokens, newest first. */
  readonly memories: (query?: MemoriesQuery, options?: Options) => Promise<Page<Token>>
  /** Returns the ancestors and descendants of a token, and the royalty split of a price. */
  readonly lineage: (
    tokenId: TokenIdInput,
    query?: {
      readonly price?: AmountInput | undefined
      /** The id that the descendants begin after, to go on after the first 500. */
      readonly after?: TokenIdInput | undefined
      /** The most descendants; 500 by default. */
      readonly limit?: number | undefined
    },
    options?: Options,
  ) => Promise<Lineage>
  /** Returns the events of a token, oldest first. */
  readonly history: (
    tokenId: TokenIdInput,
    page?: PageQuery,
    options?: Options,
  ) => Promise<Page<Event>>
  /** Returns the events of all tokens, newest first; of an account those that name it. */
  readonly activity: (query?: ActivityQuery, options?: Options) => Promise<Page<Event>>
  /** Returns the excerpts that a memory shows, with their proofs. */
  readonly excerpts: (tokenId: TokenIdInput, options?: Options) => Promise<Excerpts>
  /** Returns the active rentals of a token. */
  readonly rentals: (tokenId: TokenIdInput, options?: Options) => Promise<Rentals>
  /** Returns the ratings of a token, the newest first, and how many have each score. */
  readonly ratings: (tokenId: TokenIdInput, page?: PageQuery, options?: Options) => Promise<Ratings>
  /** Returns how many ratings of each of several tokens have each score, in the order of the tokens. */
  readonly ratingCounts: (
    tokenIds: readonly TokenIdInput[],
    options?: Options,
  ) => Promise<RatingCounts>
  /** Returns the titles of up to 100 tokens, in their order; a token that shows no card has none. */
  readonly titles: (tokenIds: readonly TokenIdInput[], options?: Options) => Promise<Titles>
  /** Checks that the server has the sealed bytes of a token, and that they match their digest. */
  readonly integrity: (tokenId: TokenIdInput, options?: Options) => Promise<Integrity>
  /** Returns the earnings of an account, in wei. */
  readonly earnings: (address: Recipient, options?: Options) => Promise<Earnings>
  /** Returns each payment that an account received, the newest first. */
  readonly eachEarning: (
    address: Recipient,
    page?: PageQuery,
    options?: Options,
  ) => Promise<Page<Earning>>
  /** Returns who takes over the tokens of an account, and when, and a page of those whose heir it is. */
  readonly heir: (address: Recipient, page?: PageQuery, options?: Options) => Promise<Heir>
  /** Returns the profiles of up to 50 accounts that have one, or those whose names have a text. */
  readonly profiles: (
    query: { readonly accounts: readonly Recipient[] } | { readonly name: string },
    options?: Options,
  ) => Promise<Profiles>
  /** Returns the chain id and the addresses of the contracts and of the agent wallet. */
  readonly deployment: (options?: Options) => Promise<Deployment>
  /** Returns the balance and the spending limits of the agent wallet, in wei. */
  readonly wallet: (options?: Options) => Promise<Wallet>
}

/** Creates the reads of a server. */
export function createReads(transport: Transport): Reads {
  const call = readsOver(transport.send)
  const ofTokens =
    <name extends OperationName>(name: name) =>
    async (ids: readonly TokenIdInput[], options?: Options) =>
      call(name, true)({ tokenIds: ids.map((id) => encodeTokenId(id)).join() }, options)
  return {
    info: call('provenance'),
    listing: call('listing'),
    listings: call('listings', true),
    facets: call('facets', true),
    memories: call('tokens', true),
    lineage: call('lineage', true),
    history: call('history', true),
    activity: call('activity', true),
    excerpts: call('excerpts'),
    rentals: call('rentals'),
    ratings: call('ratings', true),
    ratingCounts: ofTokens('ratingCounts'),
    titles: ofTokens('titles'),
    integrity: call('integrity'),
    earnings: call('earnings'),
    eachEarning: call('eachEarning', true),
    heir: call('heir', true),
    profiles: async (query, options) =>
      call('profiles', true)(
        'name' in query ? query : { accounts: query.accounts.join() },
        options,
      ),
    deployment: call('deployment'),
    wallet: call('wallet'),
  }
}

/** The most requests for one list. */
const mostRequests = 1000

/**
 * Reads the items of all pages of a list, or the first `most` of them.
 *
 * @throws `client/bad-answer` for pages without an end
 */
export async function readPages<Item>(
  read: (after: string | undefined) => Promise<Page<Item>>,
  { most = Number.POSITIVE_INFINITY }: { readonly most?: number } = {},
): Promise<Item[]> {
  const items: Item[] = []
  const seen = new Set<string>()
  let after: string | undefined
  do {
    const page = await read(after)
    items.push(...page.items)
    after = page.next ?? undefined
    if (after === undefined) break
    if (seen.has(after) || seen.size === mostRequests) throw badResponse('its pages have no end')
    seen.add(after)
  } while (items.length < most)
  return items.slice(0, most)
}
