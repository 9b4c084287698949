import assert from 'node:assert/strict'
import {
  deepestLineage,
  type FailureCode,
  type Instant,
  isActive,
  mostClaims,
  type Provenance,
  type Terms,
  type TokenId,
  tokenId,
} from '@heirloom/core'

/** A party, by its place in the world. */
export type Who = 0 | 1 | 2 | 3

/** A share of every price of a token. */
export type ModelClaim = { readonly creator: Who; readonly bps: number }

/** What the model keeps of a token. */
export type ModelToken = {
  readonly id: TokenId
  readonly creator: Who
  readonly parent: TokenId | undefined
  /** Who may claim which share of every price, in basis points, the oldest first. */
  readonly claims: readonly ModelClaim[]
  /** How many licensed forks lead to it in a line. */
  readonly depth: number
  readonly document: string
  /** Whose memory it is: the creator that the bundle was sealed for, whoever minted this token. */
  readonly sealedFor: Who
  /** The record as it was first read; it never changes. */
  readonly record: Provenance
  readonly formerOwners: Set<Who>
  readonly rentals: Map<Who, Instant>
  owner: Who
  terms: Terms | undefined
}

/** All that the model keeps; smaller than any ledger, and written without looking at one. */
export type Model = {
  readonly tokens: ModelToken[]
  readonly balances: bigint[]
  /** What all parties hold together, for ever. */
  readonly wealth: bigint
  /** Counts what happened. */
  readonly tally: (event: string) => void
}

/** Which token a command is about. */
export type Pick = number

const unknownFrom = 57
/** The highest pick; the last few name a token that does not exist. */
export const highestPick = 59

/** Returns the id that a pick names: mostly of a wanted token, when there is one. */
export function idOf(
  { tokens }: Model,
  pick: Pick,
  isWanted: (token: ModelToken) => boolean = () => true,
): TokenId {
  const wanted = pick % 4 === 0 ? [] : tokens.filter(isWanted)
  const candidates = wanted.length > 0 ? wanted : tokens
  const found = pick < unknownFrom ? candidates[pick % candidates.length] : undefined
  return found?.id ?? tokenId(BigInt(tokens.length + 1))
}

/** Returns the token with an id, if it exists. */
export function tokenOf({ tokens }: Model, id: TokenId): ModelToken | undefined {
  return tokens[Number(id) - 1]
}

/** Tells whether a wallet has a right to a token. */
export function mayOpen(token: ModelToken, who: Who, now: Instant): boolean {
  return token.owner === who || isActive(token.rentals.get(who), now)
}

/** Tells why a wallet cannot open a memory; `undefined` when it can. */
export function refusalOf(
  model: Model,
  token: ModelToken,
  who: Who,
  now: Instant,
): FailureCode | undefined {
  if (!mayOpen(token, who, now)) return 'access/denied'
  return sourceOf(model, token).creator === token.sealedFor ? undefined : 'access/copied'
}

/** Returns the snapshot at the end of a chain of licensed forks. */
function sourceOf(model: Model, token: ModelToken): ModelToken {
  if (token.depth === 0 || token.parent === undefined) return token
  const parent = tokenOf(model, token.parent)
  assert.ok(parent)
  return sourceOf(model, parent)
}

/** Tells whether a party cannot pay an amount. */
export function isShort({ balances }: Model, who: Who, amount: bigint): boolean {
  return (balances[who] ?? 0n) < amount
}

/** Moves a price from the payer to the owner, less the share of each claim. */
export function settle(model: Model, payer: Who, token: ModelToken, price: bigint): void {
  pay(model, payer, -price)
  let rest = price
  for (const { creator, bps } of token.claims) {
    const share = (price * BigInt(bps)) / 10_000n
    pay(model, creator, share)
    rest -= share
  }
  assert.ok(rest >= 0n, 'claims never take more than the price')
  pay(model, token.owner, rest)
}

/** Returns the claims that a fork of a token would carry under the terms of now. */
export function claimsOfFork({ claims, creator, terms }: ModelToken): readonly ModelClaim[] {
  const free = claims.length < mostClaims ? 10_000 - totalOf(claims) : 0
  const bps = Math.min(terms?.forkRoyaltyBps ?? 0, free)
  return bps === 0 ? claims : [...claims, { creator, bps }]
}

/** Returns the share that claims take together, in basis points. */
export function totalOf(claims: readonly ModelClaim[]): number {
  return claims.reduce((total, { bps }) => total + bps, 0)
}

/** Tells whether a token may be forked, as far as its line goes. */
export function canBeForked({ depth }: ModelToken): boolean {
  return depth < deepestLineage
}

/** Changes what a party holds. */
export function pay({ balances }: Model, who: Who, change: bigint): void {
  balances[who] = (balances[who] ?? 0n) + change
}

/** Changes the owner of a token, which takes its listing down. */
export function handOver(token: ModelToken, to: Who): void {
  token.formerOwners.add(token.owner)
  token.owner = to
  token.terms = undefined
}
