import assert from 'node:assert/strict'
import {
  type Digest,
  type FailureCode,
  type Instant,
  isActive,
  maxClaims,
  maxLineageDepth,
  type Provenance,
  type Terms,
  type TokenId,
  tokenId,
} from '@heirloom/core'

/** The index of a party in the harness. */
export type Who = 0 | 1 | 2 | 3

/** A share of every price of a token. */
export type ModelClaim = { readonly creator: Who; readonly bps: number }

/** The state of a token in the model. */
export type ModelToken = {
  readonly id: TokenId
  readonly creator: Who
  readonly parent: TokenId | undefined
  /** The claims on every price, the oldest first. */
  readonly claims: readonly ModelClaim[]
  /** The number of licensed forks from its source to the token. */
  readonly depth: number
  readonly document: string
  /** The creator that the bundle was sealed for, which may differ from the creator of the token. */
  readonly sealedFor: Who
  /** The record as it was read after the mint; it never changes. */
  readonly record: Provenance
  readonly formerOwners: Set<Who>
  readonly rentals: Map<Who, Instant>
  owner: Who
  terms: Terms | undefined
}

/** The arrangement of a party for its heir. */
export type ModelPlan = {
  readonly heir: Who
  readonly silenceDays: number
  readonly noticeDays: number
  /** The time of an announcement that no sign of life has ended. */
  announcedAt: Instant | undefined
}

/** The state of the model; smaller than any ledger, and written independently of them. */
export type Model = {
  readonly tokens: ModelToken[]
  readonly balances: bigint[]
  /** The dollars of the parties; their total never changes either. */
  readonly dollars: bigint[]
  /** The heirs that parties have named. */
  readonly plans: Map<Who, ModelPlan>
  /** The last sign of life of each party. */
  readonly signs: Map<Who, Instant>
  /** The total balance of all parties, which never changes. */
  readonly wealth: bigint
  /** The versions of each name, the first one first. */
  readonly names: Map<string, readonly TokenId[]>
  /** The digests of erased memories. */
  readonly erased: Set<Digest>
  /** Counts an outcome. */
  readonly tally: (event: string) => void
}

/** The balances of the parties in one currency. */
type Balances = { readonly balances: bigint[] }

/** A number that selects the token of a command. */
export type Pick = number

const unknownFrom = 57
/** The highest pick; the last few picks select a token that does not exist. */
export const highestPick = 59

/** Returns the token id of a pick: mostly of a preferred token, when there is one. */
export function idOf(
  { tokens }: Model,
  pick: Pick,
  isPreferred: (token: ModelToken) => boolean = () => true,
): TokenId {
  const preferred = pick % 4 === 0 ? [] : tokens.filter(isPreferred)
  const candidates = preferred.length > 0 ? preferred : tokens
  const found = pick < unknownFrom ? candidates[pick % candidates.length] : undefined
  return found?.id ?? tokenId(BigInt(tokens.length + 1))
}

/** Returns the token with an id, if it exists. */
export function tokenOf({ tokens }: Model, id: TokenId): ModelToken | undefined {
  return tokens[Number(id) - 1]
}

/** Returns whether a party has a right to a token. */
export function mayOpen(token: ModelToken, who: Who, now: Instant): boolean {
  return token.owner === who || isActive(token.rentals.get(who), now)
}

/** Returns the code of the failure when a party opens a memory; `undefined` when it can open it. */
export function refusalOf(
  model: Model,
  token: ModelToken,
  who: Who,
  now: Instant,
): FailureCode | undefined {
  if (!mayOpen(token, who, now)) return 'access/denied'
  if (model.erased.has(token.record.digest)) return 'memory/erased'
  return sourceOf(model, token).creator === token.sealedFor ? undefined : 'access/copied'
}

/** Returns the snapshot at the end of a chain of licensed forks. */
export function sourceOf(model: Model, token: ModelToken): ModelToken {
  if (token.depth === 0 || token.parent === undefined) return token
  const parent = tokenOf(model, token.parent)
  assert.ok(parent)
  return sourceOf(model, parent)
}

/** Returns an offered price, 0 when there is none, and whether it is in dollars. */
export function offerOf(
  token: ModelToken | undefined,
  way: 'price' | 'rentalPricePerDay' | 'forkPrice',
): { readonly amount: bigint; readonly isInDollars: boolean } {
  const terms = token?.terms
  const amount = (terms?.dollars ?? terms)?.[way] ?? 0n
  return { amount, isInDollars: terms?.dollars !== undefined }
}

/** Returns whether a party cannot pay an amount. */
export function isShort({ balances }: Balances, who: Who, amount: bigint): boolean {
  return (balances[who] ?? 0n) < amount
}

/**
 * Moves a price from the payer to the owner, less the share of each claim, in the balances of one
 * currency.
 */
export function settle(model: Balances, payer: Who, token: ModelToken, price: bigint): void {
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

/** Returns the claims on a fork of a token under its present terms. */
export function claimsOfFork({ claims, creator, terms }: ModelToken): readonly ModelClaim[] {
  const free = claims.length < maxClaims ? 10_000 - totalOf(claims) : 0
  const bps = Math.min(terms?.forkRoyaltyBps ?? 0, free)
  return bps === 0 ? claims : [...claims, { creator, bps }]
}

/** Returns the total share of claims, in basis points. */
export function totalOf(claims: readonly ModelClaim[]): number {
  return claims.reduce((total, { bps }) => total + bps, 0)
}

/** Returns whether the depth of a token allows a fork. */
export function canBeForked({ depth }: ModelToken): boolean {
  return depth < maxLineageDepth
}

/** Changes the balance of a party. */
export function pay({ balances }: Balances, who: Who, change: bigint): void {
  balances[who] = (balances[who] ?? 0n) + change
}

/** Records a sign of life of a party, which ends a takeover under way. */
export function giveSign({ signs, plans }: Model, who: Who, now: Instant): void {
  signs.set(who, now)
  const plan = plans.get(who)
  if (plan !== undefined) plan.announcedAt = undefined
}

/** Changes the owner of a token, which ends its listing. */
export function handOver(token: ModelToken, to: Who): void {
  token.formerOwners.add(token.owner)
  token.owner = to
  token.terms = undefined
}
