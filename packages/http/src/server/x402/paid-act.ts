import { type EncodedOrder, noDeadline } from '@heirloom/adapters/internal/orders'
import {
  type Account,
  Failure,
  type Hex,
  type OrderAct,
  orderActs,
  rentalDays,
  sameAccount,
  type TokenId,
  toSeconds,
  wholeBps,
} from '@heirloom/core'
import { encodeAbiParameters, keccak256, parseAbiParameters, stringToHex } from 'viem'
import { readAddress } from '../../api/address.ts'
import { paidActQueries } from '../../api/schemas/x402-schemas.ts'
import { readNumber } from '../request/read-signed-act.ts'

/** The time between two deadlines, in seconds: a week. */
const period = 604_800n

/** The most that the clock of a server may be ahead of its chain, in seconds. */
const clockError = 60n

/** The time of a chain and that of a server, in seconds since 1970. */
type Times = { readonly asOf: bigint; readonly now: bigint }

/**
 * Returns the deadline of an order whose client gives none, in seconds since 1970: the last second of
 * the week (UTC, from Thursday to Wednesday). All requests of a week make the same order, and the next
 * one is offered only once no block can carry out the old one any more, so a retry is never charged
 * twice. On an idle chain, whose time stands still, the clock decides, with a minute for its error.
 */
export function deadlineAt({ asOf, now }: Times): bigint {
  const time = asOf > now - clockError ? asOf : now - clockError
  return (time / period + 1n) * period - 1n
}

/**
 * Returns the deadlines that an order of the same request may have had, and whose money may wait at its
 * address: that of the week before, and that of the orders that had none.
 */
export const earlierDeadlines = (deadline: bigint): readonly bigint[] => [deadline - period, never]

/** Returns whether a deadline is one that a server gives. */
const isGiven = (deadline: bigint): boolean => deadline === never || (deadline + 1n) % period === 0n

/** The deadline of a fork or a royalty, whose name in the request is to be good for ever. */
export const never: bigint = BigInt(toSeconds(noDeadline))

/** An act in dollars that a client asks for, before it is paid. */
export type PaidAct = {
  readonly act: OrderAct
  readonly tokenId: TokenId
  readonly recipient: Account
  readonly refundTo: Account
  /** The whole days of a rental; 0 for any other act. */
  readonly days: number
  /** The end of the rental to prolong, in seconds since 1970. */
  readonly renew: bigint | undefined
  /** The price that the client names; absent where the listing says it. */
  readonly price: bigint | undefined
  /** The most that a fork may owe, in basis points; 0 for any other act. */
  readonly maxRoyaltyBps: number
  /** The name of a paid act that nothing on the chain distinguishes from the next one. */
  readonly id: string | undefined
  /** In seconds since 1970; absent where the time decides. */
  readonly deadline: bigint | undefined
}

/** The parameters of a paid act, as its URL has them. */
export type PaidActQuery = {
  readonly [name in
    | 'recipient'
    | 'refundTo'
    | 'deadline'
    | 'durationDays'
    | 'renew'
    | 'price'
    | 'amount'
    | 'maxRoyaltyBps'
    | 'id']?: string | undefined
}

/**
 * Reads what a client asks for.
 *
 * @throws `request/malformed`, `value/invalid`, `rental/bad-duration`, `royalty/bad-share`
 */
export function readPaidAct(act: OrderAct, tokenId: TokenId, query: PaidActQuery): PaidAct {
  const { deadline, durationDays, renew, maxRoyaltyBps, id } = query
  const price = query.price ?? query.amount
  return {
    act,
    tokenId,
    id,
    ...readAccounts(query),
    days: act === 'rent' ? rentalDays(Number(durationDays)) : 0,
    maxRoyaltyBps: act === 'fork' ? readShare(Number(maxRoyaltyBps)) : 0,
    renew: renew === undefined ? undefined : readNumber('renew', renew),
    price: price === undefined ? undefined : readNumber('price', price),
    deadline: deadline === undefined ? defaultOf(act) : readNumber('deadline', deadline),
  }
}

/**
 * A rental and a purchase are done when the recipient has them, whatever order did it. Of a fork or a
 * royalty only its order tells, so with another deadline a retry would not find it.
 */
const defaultOf = (act: OrderAct) => (act === 'rent' || act === 'buy' ? undefined : never)

/** Returns the account that a query names as the recipient, or the one that gets a refund. */
export function recipientIn({ recipient, refundTo }: PaidActQuery): Account | undefined {
  const named = recipient ?? refundTo
  return named === undefined ? undefined : readAddress(named)
}

/** Returns the names of the parameters that an order needs and a query lacks. */
export const missingIn = (act: OrderAct, query: PaidActQuery): readonly string[] =>
  paidActQueries[act].required.filter(
    (name) =>
      query[name as keyof PaidActQuery] === undefined &&
      (name !== 'recipient' || query.refundTo === undefined),
  )

/** A request that has no order, because it lacks parameters. */
export type IncompleteAct = {
  readonly act: OrderAct
  readonly tokenId: TokenId
  readonly recipient: Account | undefined
  /** The days of the rental; 1 where the query does not say. */
  readonly days: number
}

/** Reads a request that lacks parameters. @throws `rental/bad-duration` */
export const readIncomplete = (
  act: OrderAct,
  tokenId: TokenId,
  query: PaidActQuery,
): IncompleteAct => ({
  act,
  tokenId,
  recipient: recipientIn(query),
  days: rentalDays(Number(query.durationDays ?? 1)),
})

function readAccounts(query: PaidActQuery): Pick<PaidAct, 'recipient' | 'refundTo'> {
  const [recipient, refundTo] = [
    query.recipient ?? query.refundTo,
    query.refundTo ?? query.recipient,
  ]
  if (recipient !== undefined && refundTo !== undefined) {
    return { recipient: readAddress(recipient), refundTo: readAddress(refundTo) }
  }
  const problem = 'needs a recipient, or the account refundTo that gets a refund'
  throw new Failure('request/malformed', { where: 'querystring', problem })
}

function readShare(royaltyBps: number): number {
  if (royaltyBps <= wholeBps) return royaltyBps
  throw new Failure('royalty/bad-share', { royaltyBps, limit: wholeBps })
}

/** The part of an order that does not follow from what the client asks for. */
export type OrderChoice = Pick<EncodedOrder, 'price' | 'salt' | 'deadline'> & {
  readonly asset: Account
}

/** Returns the order of a paid act. */
export function orderOf(paidAct: PaidAct, choice: OrderChoice): EncodedOrder {
  const { act, tokenId, recipient, refundTo, days, maxRoyaltyBps } = paidAct
  const { asset, price, salt, deadline } = choice
  return {
    act: orderActs.indexOf(act),
    tokenId,
    asset,
    price,
    recipient,
    refundTo,
    deadline,
    salt,
    numberOfDays: BigInt(days),
    maxRoyaltyBps: BigInt(maxRoyaltyBps),
  }
}

/**
 * Returns whether an order is one of a paid act: with the id and the price that this names, where it
 * names them, and at any deadline that a server gives where it has none.
 */
export function isOrderOf(paidAct: PaidAct, order: EncodedOrder): boolean {
  const { deadline, id, price = order.price } = paidAct
  if (deadline === undefined && !isGiven(order.deadline)) return false
  if (price !== order.price || (id !== undefined && !isSaltAt(momentOf(id), order.salt)))
    return false
  const expected = orderOf(paidAct, { ...order, deadline: deadline ?? order.deadline })
  const names = Object.keys(expected) as (keyof EncodedOrder)[]
  return names.every((name) => expected[name] === order[name])
}

/**
 * Returns the salt of an order. It says the moment of the paid act, as the chain has it: equal
 * requests make the same order until that order is carried out, so a retry cannot pay twice.
 *
 * @param round - the number of orders of that moment that were refunded
 */
export function saltAt(moment: bigint, round: number): Hex {
  const types = parseAbiParameters('string, uint256, uint256')
  return keccak256(encodeAbiParameters(types, ['heirloom x402', moment, BigInt(round)]))
}

/** The most orders of one moment that are refunded before a paid act is refused. */
export const mostRounds = 16

/** Returns whether a salt is one of a moment. */
export const isSaltAt = (moment: bigint, salt: Hex): boolean =>
  Array.from({ length: mostRounds }, (_, round) => saltAt(moment, round)).includes(salt)

/** Returns whether an order gives the same account the same as a paid act. */
export const isForSame = (
  { act, tokenId, recipient }: PaidAct,
  order: Pick<EncodedOrder, 'act' | 'tokenId' | 'recipient'>,
): boolean =>
  order.act === orderActs.indexOf(act) &&
  order.tokenId === tokenId &&
  sameAccount(order.recipient, recipient)

/** Returns the moment of a paid act that its client names. */
export const momentOf = (id: string): bigint => BigInt(keccak256(stringToHex(id)))
