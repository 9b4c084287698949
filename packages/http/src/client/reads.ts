import type { AnswerSchema } from '../api/operations/operations.ts'
import type { OperationName } from '../api/operations/paths.ts'
import type { ReadonlyStatic } from '../api/readonly-static.ts'
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
  Provenance,
  RatingCounts,
  Ratings,
  Rentals,
  Titles,
  Token,
  Wallet,
} from './responses.ts'
import { decodeResponse } from './transport/decode-response.ts'
import { encodeTokenId } from './transport/encode-values.ts'
import { requestLine } from './transport/request-line.ts'
import type { CallOptions, Transport } from './transport/transport.ts'
import { type Query, withQuery } from './transport/with-query.ts'

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
  /** Returns the chain id and the addresses of the contracts and of the agent wallet. */
  readonly deployment: (options?: Options) => Promise<Deployment>
  /** Returns the balance and the spending limits of the agent wallet, in wei. */
  readonly wallet: (options?: Options) => Promise<Wallet>
}

type Answer<name extends OperationName> = ReadonlyStatic<AnswerSchema<name>>

/** The query and the options of a read. */
type Input = { readonly query?: Query | undefined; readonly options?: Options | undefined }

/** Creates the function that makes any read. */
const createRead =
  ({ send }: Transport) =>
  async <name extends OperationName>(
    name: name,
    values: readonly TokenIdInput[],
    { query, options = {} }: Input,
  ): Promise<Answer<name>> => {
    const { method, path } = requestLine(name, ...values)
    const response = await send({ method, path: withQuery(path, query), options })
    return decodeResponse<Answer<name> & object>(response)
  }

/** Creates the functions that make the calls of reads: what they take stands in their names. */
function createKinds(read: ReturnType<typeof createRead>) {
  return {
    ofOne:
      <name extends OperationName>(name: name) =>
      (value: TokenIdInput, options?: Options) =>
        read(name, [value], { options }),
    ofOneWithQuery:
      <name extends OperationName>(name: name) =>
      (value: TokenIdInput, query?: Query, options?: Options) =>
        read(name, [value], { query, options }),
    withQueryAlone:
      <name extends OperationName>(name: name) =>
      (query?: Query, options?: Options) =>
        read(name, [], { query, options }),
    ofTokens:
      <name extends OperationName>(name: name) =>
      async (ids: readonly TokenIdInput[], options?: Options) =>
        read(name, [], { query: { tokenIds: ids.map((id) => encodeTokenId(id)).join() }, options }),
    ofServer:
      <name extends OperationName>(name: name) =>
      (options?: Options) =>
        read(name, [], { options }),
  }
}

/** Creates the reads of a server. */
export function createReads(transport: Transport): Reads {
  const { ofOne, ofOneWithQuery, withQueryAlone, ofTokens, ofServer } = createKinds(
    createRead(transport),
  )
  return {
    info: ofOne('provenance'),
    listing: ofOne('listing'),
    listings: withQueryAlone('listings'),
    facets: withQueryAlone('facets'),
    memories: withQueryAlone('tokens'),
    lineage: ofOneWithQuery('lineage'),
    history: ofOneWithQuery('history'),
    activity: withQueryAlone('activity'),
    excerpts: ofOne('excerpts'),
    rentals: ofOne('rentals'),
    ratings: ofOneWithQuery('ratings'),
    ratingCounts: ofTokens('ratingCounts'),
    titles: ofTokens('titles'),
    integrity: ofOne('integrity'),
    earnings: ofOne('earnings'),
    eachEarning: ofOneWithQuery('eachEarning'),
    heir: ofOneWithQuery('heir'),
    deployment: ofServer('deployment'),
    wallet: ofServer('wallet'),
  }
}
