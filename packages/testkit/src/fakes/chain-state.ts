import {
  type Access,
  type Account,
  account,
  type Clock,
  claimsOn,
  type Digest,
  Failure,
  fromSeconds,
  type Happening,
  type Hash,
  type HistoryEntry,
  type Instant,
  type Licensed,
  nobody,
  type Provenance,
  splitPrice,
  type Terms,
  type TokenId,
  toSeconds,
  type Wei,
  wei,
} from '@heirloom/core'
import { getAddress } from 'viem'
import type { Memory } from './idempotent-writes.ts'

/** A token as the chain keeps it. */
export type Token = {
  readonly record: Provenance
  /** The share that the fork added for its parent's creator; absent without a licence. */
  readonly royaltyBps: number | undefined
  readonly owner: Account
  /** How often the token changed hands. Terms belong to one ownership and end with it. */
  readonly transfers: number
}

/** All that the chain keeps. */
export type ChainState = {
  readonly clock: Clock
  readonly tokens: Map<TokenId, Token>
  readonly terms: Map<string, Terms>
  readonly rentals: Map<string, Instant>
  /** The digests of the cards that were told. */
  readonly cards: Map<TokenId, Digest>
  readonly balances: Map<Account, Wei>
  /** The owners of each contract wallet. */
  readonly wallets: Map<Account, readonly Account[]>
  /** What each wallet made under which key. */
  readonly memories: Map<Account, Memory>
  /** All that happened to tokens, in its order; each write makes a block of its own. */
  readonly history: HistoryEntry[]
  /** Who is told of every block. */
  readonly listeners: Set<() => void>
  transactions: bigint
}

/** Returns the one spelling under which an account is kept. */
export const spelled = (given: Account): Account => account(getAddress(given))

/** Returns the name under which the terms of the present ownership are kept. */
export const termsKey = (id: TokenId, { transfers }: Token): string => `${id}:${transfers}`

/** Returns the name under which a rental is kept. */
export const rentalKey = (id: TokenId, renter: Account): string => `${id}:${spelled(renter)}`

/** Returns the time of the block that would be made now: the clock's, in whole seconds. */
export const blockTime = ({ clock }: ChainState): Instant => fromSeconds(toSeconds(clock.now()))

/** Returns what an account holds. */
export const balanceOf = ({ balances }: ChainState, holder: Account): Wei =>
  balances.get(spelled(holder)) ?? wei(0n)

/** Returns a token that must exist. */
export function requireToken({ tokens }: ChainState, id: TokenId): Token {
  const token = tokens.get(id)
  if (token === undefined) throw new Failure('token/not-found', { tokenId: id })
  return token
}

/** Returns the snapshot at the end of a token's chain of licensed forks; a declared parent is not followed. */
export function sourceOf(state: ChainState, token: Token): Access['source'] {
  let { record, royaltyBps } = token
  while (royaltyBps !== undefined && record.parent !== undefined) {
    ;({ record, royaltyBps } = requireToken(state, record.parent))
  }
  return { tokenId: record.tokenId, creator: record.creator }
}

/** Refuses an account that could never do anything with a token. */
export function requireRecipient(recipient: Account): void {
  if (recipient === nobody) throw new Failure('recipient/invalid', { recipient })
}

/** Refuses the content hash of nothing, by which the contracts tell an unminted token. */
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

/** Refuses a payment before anything else when the wallet cannot make it, as a chain does. */
export function requireFunds(state: ChainState, payer: Account, value: Wei): void {
  const balance = balanceOf(state, payer)
  if (balance < value) throw new Failure('wallet/short', { account: payer, balance, needed: value })
}

/** Refuses a wallet without money after anything else: a chain prices only a write that would succeed. */
export function requireGas(state: ChainState, payer: Account): void {
  requireFunds(state, payer, wei(1n))
}

/** Returns what a wallet made under which key. */
export function memoryOf({ memories }: ChainState, agent: Account): Memory {
  const memory: Memory = memories.get(agent) ?? new Map()
  memories.set(agent, memory)
  return memory
}

/** Gives a token to an account, which ends its listing. */
export function handOver({ tokens }: ChainState, id: TokenId, token: Token, to: Account): void {
  tokens.set(id, { ...token, owner: spelled(to), transfers: token.transfers + 1 })
}

/** Moves money. */
export function pay(state: ChainState, from: Account, to: Account, amount: Wei): void {
  state.balances.set(spelled(from), wei(balanceOf(state, from) - amount))
  state.balances.set(spelled(to), wei(balanceOf(state, to) + amount))
}

/** A payment for a token, which its owner shares with the claims on it. */
export type Payment = { readonly token: Token; readonly payer: Account; readonly price: Wei }

/** Divides a price among the claims on a token and its owner; returns what each claim was paid. */
export function settle(state: ChainState, { token, payer, price }: Payment): readonly Royalty[] {
  const { royalties, rest } = splitPrice(price, claimsOn(lineOf(state, token)))
  pay(state, payer, token.owner, rest)
  return royalties.map((royalty) => {
    pay(state, payer, royalty.to, royalty.amount)
    return { kind: 'royalty', from: payer, ...royalty }
  })
}

/** A payment to a creator. */
export type Royalty = Happening & { readonly kind: 'royalty'; readonly tokenId: TokenId }

/** Returns a token and all that it was licensed from, each before its parent. */
export function lineOf(state: ChainState, token: Token): readonly Licensed[] {
  const { tokenId, creator, parent } = token.record
  const licensed = { tokenId, creator, royaltyBps: token.royaltyBps }
  if (token.royaltyBps === undefined || parent === undefined) return [licensed]
  return [licensed, ...lineOf(state, requireToken(state, parent))]
}
