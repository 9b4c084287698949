import { idempotencyHeaders, idempotencyKey } from './idempotency-key.ts'
import type { Account } from './proof/access-proof.ts'
import type {
  AcquireInput,
  ForkInput,
  ListInput,
  RentInput,
  RoyaltyInput,
  SnapshotInput,
  TokenIdInput,
} from './requests.ts'
import type { Forked, Minted, Rented, Written } from './responses.ts'
import { encodeDocument, snapshotBody } from './snapshot-body.ts'
import { decodeResponse } from './transport/decode-response.ts'
import { encodeAmount, encodeJson, encodePrices, encodeTokenId } from './transport/encode-values.ts'
import type { Transport, WriteOptions } from './transport/transport.ts'

/** The calls that write; the agent wallet of the server signs and pays. */
export type Writes = {
  /** Seals a memory and mints its token. */
  readonly snapshot: (memory: SnapshotInput, options?: WriteOptions) => Promise<Minted>
  /** Sets the terms of a token of the agent wallet; with every price 0 it is unlisted. */
  readonly list: (terms: ListInput, options?: WriteOptions) => Promise<Written>
  /** Buys a token for the account of the client. */
  readonly buy: (
    tokenId: TokenIdInput,
    terms?: AcquireInput,
    options?: WriteOptions,
  ) => Promise<Written>
  /** Rents a token for the account of the client. */
  readonly rent: (
    tokenId: TokenIdInput,
    terms: RentInput,
    options?: WriteOptions,
  ) => Promise<Rented>
  /** Mints a licensed child of a token for the account of the client. */
  readonly fork: (
    tokenId: TokenIdInput,
    terms?: ForkInput,
    options?: WriteOptions,
  ) => Promise<Forked>
  /** Pays a royalty to the creator of a token. */
  readonly royalty: (
    tokenId: TokenIdInput,
    terms: RoyaltyInput,
    options?: WriteOptions,
  ) => Promise<Written>
}

/** Creates the writes of a server. An account, if given, is the default recipient. */
export function createWrites(transport: Transport, account: Account | undefined): Writes {
  const write = createWrite(transport)
  const market = <T extends object>(path: string, body: object, options?: WriteOptions) =>
    write<T>(`/api/marketplace/${path}`, encodeJson(body), options)
  // Without a recipient the agent wallet would own the token, and the caller could not open it.
  const encodeAcquire = ({ recipient = account?.address, maxPrice }: AcquireInput) => ({
    recipient,
    maxPrice: maxPrice === undefined ? undefined : encodeAmount(maxPrice, 'maxPrice'),
  })
  return {
    snapshot: async (memory, options) =>
      write('/api/memory/snapshot', snapshotBody(await encodeDocument(memory), memory), options),
    list: async (terms, options) => market('list', encodeTerms(terms), options),
    buy: async (id, terms = {}, options) =>
      market(`buy/${encodeTokenId(id)}`, encodeAcquire(terms), options),
    rent: async (id, { durationDays, ...terms }, options) =>
      market(`rent/${encodeTokenId(id)}`, { durationDays, ...encodeAcquire(terms) }, options),
    fork: async (id, { maxRoyaltyBps, ...terms } = {}, options) =>
      market(`fork/${encodeTokenId(id)}`, { ...encodeAcquire(terms), maxRoyaltyBps }, options),
    royalty: async (id, { amount }, options) =>
      market(`royalty/${encodeTokenId(id)}`, { amount: encodeAmount(amount, 'amount') }, options),
  }
}

/** Sends a write; all its retries have one idempotency key. */
export type SendWrite = <T extends object>(
  path: string,
  body: Uint8Array<ArrayBuffer>,
  options?: WriteOptions,
) => Promise<T>

/** Creates the function that sends a write. */
export const createWrite =
  ({ send }: Transport): SendWrite =>
  async <T extends object>(
    path: string,
    body: Uint8Array<ArrayBuffer>,
    { idempotencyKey: key = idempotencyKey(), ...options }: WriteOptions = {},
  ): Promise<T> => {
    const headers = () => idempotencyHeaders(key)
    return decodeResponse<T>(await send({ method: 'POST', path, body, headers, options }))
  }

const encodeTerms = ({ tokenId, forkRoyaltyBps, dollars, ...prices }: ListInput) => ({
  tokenId: encodeTokenId(tokenId),
  ...encodePrices(prices),
  forkRoyaltyBps,
  dollars: dollars && encodePrices(dollars, 'dollars.'),
})
