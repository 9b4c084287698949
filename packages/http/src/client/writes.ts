import type { marketOperations } from '../api/operations/market.ts'
import type { Answer } from '../api/operations/operations.ts'
import type { OperationName } from '../api/operations/paths.ts'
import type { Account } from './access-proof.ts'
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
import { type Guards, guarded, writeOptions } from './transport/known-members.ts'
import {
  encodeAmount,
  encodeJson,
  encodePrices,
  encodeTokenId,
  idempotencyHeaders,
  idempotencyKey,
  requestLine,
} from './transport/request-line.ts'
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

type WriteParts = {
  /** The default recipient; none when absent. */
  readonly account: Account | undefined
  /** Sends what the account has saved, and signs. */
  readonly save: SendWrite
}

/** Creates the writes of a server. */
export function createWrites(transport: Transport, { account, save }: WriteParts): Writes {
  const write = createWrite(transport.send)
  const post = <name extends WriteName>(
    line: readonly [name: name, tokenId?: TokenIdInput],
    body: object,
    options?: WriteOptions,
  ) => write<Answer<name> & object>(line, encodeJson(body), options)
  // Without a recipient the agent wallet would own the token, and the caller could not open it.
  const encodeAcquire = ({ recipient = account?.address, maxPrice }: AcquireInput) => ({
    recipient,
    maxPrice: maxPrice === undefined ? undefined : encodeAmount(maxPrice, 'maxPrice'),
  })
  const writes: Writes & Readonly<Record<WriteName, unknown>> = {
    snapshot: async (memory, options) =>
      save(['snapshot'], snapshotBody(await encodeDocument(memory), memory), options),
    list: async (terms, options) => post(['list'], encodeTerms(terms), options),
    buy: async (id, terms = {}, options) => post(['buy', id], encodeAcquire(terms), options),
    rent: async (id, { durationDays, ...terms }, options) =>
      post(['rent', id], { durationDays, ...encodeAcquire(terms) }, options),
    fork: async (id, { maxRoyaltyBps, ...terms } = {}, options) =>
      post(['fork', id], { ...encodeAcquire(terms), maxRoyaltyBps }, options),
    royalty: async (id, { amount }, options) =>
      post(['royalty', id], { amount: encodeAmount(amount, 'amount') }, options),
  }
  return guarded(writes, guards)
}

/** The members of a memory and of the options of its snapshot. */
export const snapshotMembers = {
  data: 1,
  metadata: 1,
  document: 1,
  card: 1,
  parentTokenId: 1,
  recipient: 1,
  salt: 1,
  accept: 1,
} as const

const acquireMembers = { recipient: 1, maxPrice: 1 } as const
const priceMembers = { price: 1, rentalPricePerDay: 1, forkPrice: 1 } as const

/** The members of an offer. */
export const listMembers = {
  ...priceMembers,
  tokenId: 1,
  forkRoyaltyBps: 1,
  // Terms are spread into those in dollars, whose share is the one beside them.
  dollars: { ...priceMembers, forkRoyaltyBps: 1 },
} as const

const guards: Guards<Writes> = {
  snapshot: [snapshotMembers, writeOptions],
  list: [listMembers, writeOptions],
  buy: [null, acquireMembers, writeOptions],
  rent: [null, { ...acquireMembers, durationDays: 1 }, writeOptions],
  fork: [null, { ...acquireMembers, maxRoyaltyBps: 1 }, writeOptions],
  royalty: [null, { amount: 1 }, writeOptions],
}

/** The operations that the agent wallet pays. */
type WriteName = 'snapshot' | keyof typeof marketOperations

/** Sends a write, about a token if its path names one; all its retries have one idempotency key. */
export type SendWrite = <T extends object>(
  line: readonly [name: OperationName, tokenId?: TokenIdInput],
  body: Uint8Array<ArrayBuffer>,
  options?: WriteOptions,
) => Promise<T>

/** Creates the function that sends a write. */
export const createWrite =
  (send: Transport['send']): SendWrite =>
  async ([name, ...values], body, { idempotencyKey: key = idempotencyKey(), ...options } = {}) => {
    const headers = () => idempotencyHeaders(key)
    const call = { ...requestLine(name, ...values), body, headers, options }
    return decodeResponse(await send(call))
  }

const encodeTerms = ({ tokenId, forkRoyaltyBps, dollars, ...prices }: ListInput) => ({
  tokenId: encodeTokenId(tokenId),
  ...encodePrices(prices),
  forkRoyaltyBps,
  dollars: dollars && encodePrices(dollars, 'dollars.'),
})
