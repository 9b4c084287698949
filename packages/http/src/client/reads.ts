import { jsonOf } from './transport/decode-response.ts'
import type {
  AmountInput,
  ListingsQuery,
  MemoriesQuery,
  PageQuery,
  Recipient,
  TokenIdInput,
} from './requests.ts'
import { spelledId } from './transport/encode-values.ts'
import type {
  Deployment,
  Earnings,
  Event,
  Integrity,
  Lineage,
  Listing,
  Page,
  Provenance,
  Rentals,
  Token,
  Wallet,
} from './responses.ts'
import type { CallOptions, Transport } from './transport/transport.ts'
import { withQuery } from './transport/with-query.ts'

type Options = Pick<CallOptions, 'signal'>

/** What changes nothing and costs nothing. */
export type Reads = {
  /** Returns what the chain records of a token. */
  readonly info: (tokenId: TokenIdInput, options?: Options) => Promise<Provenance>
  /** Returns the live terms of a token. */
  readonly listing: (tokenId: TokenIdInput, options?: Options) => Promise<Listing>
  /** Finds what is offered. */
  readonly listings: (query?: ListingsQuery, options?: Options) => Promise<Page<Token>>
  /** Finds memories, the newest first. */
  readonly memories: (query?: MemoriesQuery, options?: Options) => Promise<Page<Token>>
  /** Returns where a token comes from, what came of it, and who would be paid how much of a price. */
  readonly lineage: (
    tokenId: TokenIdInput,
    query?: { readonly price?: AmountInput | undefined },
    options?: Options,
  ) => Promise<Lineage>
  /** Returns what happened to a token, the oldest first. */
  readonly history: (
    tokenId: TokenIdInput,
    page?: PageQuery,
    options?: Options,
  ) => Promise<Page<Event>>
  /** Returns who rents a token now. */
  readonly rentals: (tokenId: TokenIdInput, options?: Options) => Promise<Rentals>
  /** Tells whether the sealed bytes of a token are there and whole. */
  readonly integrity: (tokenId: TokenIdInput, options?: Options) => Promise<Integrity>
  /** Returns what an account has earned. */
  readonly earnings: (address: Recipient, options?: Options) => Promise<Earnings>
  /** Returns which chain the server works with, and where its contracts are. */
  readonly deployment: (options?: Options) => Promise<Deployment>
  /** Returns what the server's wallet holds and may spend. */
  readonly wallet: (options?: Options) => Promise<Wallet>
}

/** Returns the reads of a server. */
export function readsOf({ send }: Transport): Reads {
  const read = async <T extends object>(path: string, options: Options = {}): Promise<T> =>
    jsonOf<T>(await send({ method: 'GET', path, options }))
  const ofToken = async <T extends object>(
    id: TokenIdInput,
    more: string,
    options?: Options,
  ): Promise<T> => read<T>(`/api/memory/${spelledId(id)}/${more}`, options)
  return {
    info: (id, options) => ofToken(id, 'info', options),
    listing: async (id, options) => read(`/api/marketplace/listings/${spelledId(id)}`, options),
    listings: (query, options) => read(withQuery('/api/marketplace/listings', query), options),
    memories: (query, options) => read(withQuery('/api/memory', query), options),
    lineage: async (id, query, options) => ofToken(id, withQuery('lineage', query), options),
    history: (id, page, options) => ofToken(id, withQuery('history', page), options),
    rentals: (id, options) => ofToken(id, 'rentals', options),
    integrity: (id, options) => ofToken(id, 'integrity', options),
    earnings: (address, options) =>
      read(`/api/accounts/${encodeURIComponent(address)}/earnings`, options),
    deployment: (options) => read('/api/deployment', options),
    wallet: (options) => read('/api/wallet', options),
  }
}
