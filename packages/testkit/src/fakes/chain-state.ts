import {
  type Access,
  type Account,
  account,
  type Clock,
  claimsOn,
  type Digest,
  type Dollars,
  dollars,
  Failure,
  fromSeconds,
  type Hash,
  type HeirPlan,
  type Hex,
  type HistoryEntry,
  hash,
  type Instant,
  type LineageMember,
  nobody,
  type OrderState,
  type Provenance,
  splitPrice,
  type Terms,
  type TokenEvent,
  type TokenId,
  toSeconds,
  type Wei,
  wei,
} from '@heirloom/core'
import { getAddress } from 'viem'
import type { WriteResults } from './idempotent-writes.ts'

/** The state of a token on the chain. */
export type Token = {
  readonly record: Provenance
  /** The share that the fork added for its parent's creator; absent without a licence. */
  readonly royaltyBps: number | undefined
  readonly owner: Account
  /** The number of transfers. Terms belong to one ownership and end with it. */
  readonly transfers: number
}

/** The arrangement of an account for its heir. */
export type StoredPlan = Pick<HeirPlan, 'heir' | 'silenceDays' | 'noticeDays'> & {
  /** The time of the last announcement, which a later sign of life has ended. */
  readonly announcedAt: Instant | undefined
}

/** The state of the chain in memory. */
export type ChainState = {
  readonly clock: Clock
  readonly tokens: Map<TokenId, Token>
  readonly terms: Map<string, Terms>
  readonly rentals: Map<string, Instant>
  /** The digests of the emitted cards. */
  readonly cards: Map<TokenId, Digest>
  readonly balances: Map<Account, Wei>
  /** The balances of the dollar of the chain. */
  readonly dollars: Map<Account, Dollars>
  /** The orders that were carried out or refunded, by their hashes; all others are open. */
  readonly closedOrders: Map<Hash, Exclude<OrderState, 'open'>>
  /** The last sign of life of each account, of those that only an account itself can give. */
  readonly signs: Map<Account, Instant>
  /** The arrangements of accounts for their heirs. */
  readonly plans: Map<Account, StoredPlan>
  /** The owners of each contract wallet. */
  readonly wallets: Map<Account, readonly Account[]>
  /** The writes of each wallet by their idempotency keys. */
  readonly writeResults: Map<Account, WriteResults>
  /** All events in order; each write makes a block of its own. */
  readonly history: HistoryEntry[]
  /** The callbacks that run after every block. */
  readonly listeners: Set<() => void>
  transactions: bigint
}

/** The dollar of every chain in memory; its address is made up. */
export const memoryDollar: Account = account(getAddress(`0x${'d0'.repeat(20)}`))

/** Returns the account checksummed (EIP-55), the form of all map keys. */
export function checksummed(given: Account): Account {
  const form = known.get(given) ?? account(getAddress(given))
  if (known.size >= maxKnown) known.clear()
  known.set(given, form)
  return form
}

/** Every map is read by such a key, and a checksum takes a hash. */
const known = new Map<Account, Account>()
const maxKnown = 20_000

/** Returns the map key of the terms under the present ownership. */
export const termsKey = (id: TokenId, { transfers }: Token): string => `${id}:${transfers}`

/** Returns the map key of a rental. */
export const rentalKey = (id: TokenId, renter: Account): string => `${id}:${checksummed(renter)}`

/** Returns the time of a block made now: the clock's time in whole seconds. */
export const blockTime = ({ clock }: ChainState): Instant => fromSeconds(toSeconds(clock.now()))

/** Returns the balance of an account. */
export const balanceOf = ({ balances }: ChainState, holder: Account): Wei =>
  balances.get(checksummed(holder)) ?? wei(0n)

/** Returns a token, or throws `token/not-found`. */
export function requireToken({ tokens }: ChainState, id: TokenId): Token {
  const token = tokens.get(id)
  if (token === undefined) throw new Failure('token/not-found', { tokenId: id })
  return token
}

/**
 * Returns the snapshot at the end of a token's chain of licensed forks; ignores declared parents.
 */
export function sourceOf(state: ChainState, token: Token): Access['source'] {
  let { record, royaltyBps } = token
  while (royaltyBps !== undefined && record.parent !== undefined) {
    ;({ record, royaltyBps } = requireToken(state, record.parent))
  }
  return { tokenId: record.tokenId, creator: record.creator }
}

/** Refuses the zero address as a recipient. */
export function requireRecipient(recipient: Account): void {
  if (recipient === nobody) throw new Failure('recipient/invalid', { recipient })
}

/** Refuses the content hash 0, which marks an unminted token in the contracts. */
export function requireContent(contentHash: Hash): void {
  if (BigInt(contentHash) === 0n) {
    throw new Failure('value/invalid', { kind: 'content hash', problem: 'must not be zero' })
  }
}

/** Refuses a payment that is not exactly the price. */
export function requirePayment(id: TokenId, price: Wei, offered: Wei): void {
  if (offered !== price) {
    throw new Failure('listing/price-changed', { tokenId: id, price, offered })
  }
}

/** Refuses a payment that the wallet cannot make; a chain checks this before anything else. */
export function requireFunds(state: ChainState, payer: Account, value: Wei): void {
  const balance = balanceOf(state, payer)
  if (balance < value) throw new Failure('wallet/short', { account: payer, balance, needed: value })
}

/**
 * Refuses a wallet without funds; call it last, because a chain prices only a write that would
 * succeed.
 */
export function requireGas(state: ChainState, payer: Account): void {
  requireFunds(state, payer, wei(1n))
}

/** Returns the writes of a wallet by their idempotency keys. */
export function writeResultsOf({ writeResults }: ChainState, agent: Account): WriteResults {
  const results: WriteResults = writeResults.get(agent) ?? new Map()
  writeResults.set(agent, results)
  return results
}

/** Transfers a token to an account, which ends its listing. */
export function handOver({ tokens }: ChainState, id: TokenId, token: Token, to: Account): void {
  tokens.set(id, { ...token, owner: checksummed(to), transfers: token.transfers + 1 })
}

/** Moves an amount from one account to another. */
export function pay(state: ChainState, from: Account, to: Account, amount: Wei): void {
  state.balances.set(checksummed(from), wei(balanceOf(state, from) - amount))
  state.balances.set(checksummed(to), wei(balanceOf(state, to) + amount))
}

/** Returns the dollars of an account. */
export const dollarsOf = (state: ChainState, holder: Account): Dollars =>
  state.dollars.get(checksummed(holder)) ?? dollars(0n)

/** Moves dollars from one account to another. */
export function payDollars(state: ChainState, from: Account, to: Account, amount: Dollars): void {
  state.dollars.set(checksummed(from), dollars(dollarsOf(state, from) - amount))
  state.dollars.set(checksummed(to), dollars(dollarsOf(state, to) + amount))
}

/** A payment for a token. */
export type Payment = { readonly token: Token; readonly payer: Account; readonly price: Wei }

/**
 * Splits a price among the claims on a token and its owner; returns the royalties that were paid.
 */
export function settle(state: ChainState, { token, payer, price }: Payment): readonly Royalty[] {
  const { royalties, rest } = splitPrice(price, claimsOn(lineOf(state, token)))
  pay(state, payer, token.owner, rest)
  return royalties.map((royalty) => {
    pay(state, payer, royalty.to, royalty.amount)
    return { kind: 'royalty', from: payer, ...royalty }
  })
}

/** A payment to a creator. */
export type Royalty = TokenEvent & { readonly kind: 'royalty'; readonly tokenId: TokenId }

/** Returns a token and its licensed ancestors, each before its parent. */
export function lineOf(state: ChainState, token: Token): readonly LineageMember[] {
  const { tokenId, creator, parent } = token.record
  const licensed = { tokenId, creator, royaltyBps: token.royaltyBps }
  if (token.royaltyBps === undefined || parent === undefined) return [licensed]
  return [licensed, ...lineOf(state, requireToken(state, parent))]
}

/** An event that a write emits. */
export type ChainEvent = TokenEvent & { readonly tokenId: TokenId }

/** Adds a block with one transaction and these events, and notifies the listeners. */
export function recordBlock(
  state: ChainState,
  events: readonly ChainEvent[],
): { readonly txHash: Hex } {
  state.transactions += 1n
  const block = state.transactions
  const position = {
    block,
    blockHash: hash(`0x${digits(block, 8)}${'b1'.repeat(28)}`),
    txHash: `0x${digits(block, 64)}` as const,
    at: blockTime(state),
  }
  for (const [logIndex, event] of events.entries()) {
    const id = `${block}-${logIndex}-${digits(block, 8)}`
    state.history.push({ ...position, logIndex, id, ...event } satisfies HistoryEntry)
  }
  for (const listener of state.listeners) listener()
  return { txHash: position.txHash }
}

const digits = (value: bigint, count: number) => value.toString(16).padStart(count, '0')
