import type { Account } from './proof/access-proof.ts'
import { jsonOf } from './transport/decode-response.ts'
import type {
  AcquireInput,
  ForkInput,
  ListInput,
  RentInput,
  RoyaltyInput,
  SnapshotInput,
  TokenIdInput,
} from './requests.ts'
import { idempotencyHeader, idempotencyKey } from './idempotency-key.ts'
import { documentOf, snapshotBody } from './snapshot-body.ts'
import { spelledAmount, spelledId } from './transport/encode-values.ts'
import type { Forked, Minted, Rented, Written } from './responses.ts'
import type { Transport, WriteOptions } from './transport/transport.ts'

/** What the server's wallet signs and pays. */
export type Writes = {
  /** Seals a memory and mints its token. */
  readonly snapshot: (memory: SnapshotInput, options?: WriteOptions) => Promise<Minted>
  /** Offers a token of the server's wallet, or takes it down with every price 0. */
  readonly list: (terms: ListInput, options?: WriteOptions) => Promise<Written>
  /** Buys a token for the account. */
  readonly buy: (
    tokenId: TokenIdInput,
    terms?: AcquireInput,
    options?: WriteOptions,
  ) => Promise<Written>
  /** Rents a token for the account. */
  readonly rent: (
    tokenId: TokenIdInput,
    terms: RentInput,
    options?: WriteOptions,
  ) => Promise<Rented>
  /** Mints a child of a token for the account. */
  readonly fork: (
    tokenId: TokenIdInput,
    terms?: ForkInput,
    options?: WriteOptions,
  ) => Promise<Forked>
  /** Pays a token's creator. */
  readonly royalty: (
    tokenId: TokenIdInput,
    terms: RoyaltyInput,
    options?: WriteOptions,
  ) => Promise<Written>
}

/** Returns the writes of a server; what they acquire is for an account, where there is one. */
export function writesOf(way: Transport, account: Account | undefined): Writes {
  const write = writing(way)
  const market = <T extends object>(path: string, body: object, options?: WriteOptions) =>
    write<T>(`/api/marketplace/${path}`, jsonBody(body), options)
  // The server's wallet pays, and would own what the caller could then not open.
  const acquired = ({ recipient = account?.address, maxPrice }: AcquireInput) => ({
    recipient,
    maxPrice: maxPrice === undefined ? undefined : spelledAmount(maxPrice),
  })
  return {
    snapshot: async (memory, options) =>
      write('/api/memory/snapshot', snapshotBody(documentOf(memory), memory), options),
    list: async (terms, options) => market('list', spelledTerms(terms), options),
    buy: async (id, terms = {}, options) =>
      market(`buy/${spelledId(id)}`, acquired(terms), options),
    rent: async (id, { durationDays, ...terms }, options) =>
      market(`rent/${spelledId(id)}`, { durationDays, ...acquired(terms) }, options),
    fork: async (id, { maxRoyaltyBps, ...terms } = {}, options) =>
      market(`fork/${spelledId(id)}`, { ...acquired(terms), maxRoyaltyBps }, options),
    royalty: async (id, { amount }, options) =>
      market(`royalty/${spelledId(id)}`, { amount: spelledAmount(amount) }, options),
  }
}

/** Returns what sends a write, under one key however often it is sent. */
const writing =
  ({ send }: Transport) =>
  async <T extends object>(
    path: string,
    body: Uint8Array<ArrayBuffer>,
    { idempotencyKey: key = idempotencyKey(), ...options }: WriteOptions = {},
  ): Promise<T> => {
    const headers = () => idempotencyHeader(key)
    return jsonOf<T>(await send({ method: 'POST', path, body, headers, options }))
  }

const jsonBody = (body: object) => new TextEncoder().encode(JSON.stringify(body))

const spelledTerms = ({ tokenId, price, rentalPricePerDay, forkPrice, ...terms }: ListInput) => ({
  tokenId: spelledId(tokenId),
  price: spelledAmount(price),
  rentalPricePerDay: spelledAmount(rentalPricePerDay),
  forkPrice: spelledAmount(forkPrice),
  ...terms,
})
