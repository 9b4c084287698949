import { Failure } from '../failure.ts'
import type { Account, Hex, Instant, TokenId } from '../values/branded.ts'
import { sameAccount } from '../values/hex.ts'
import { misleadingLayout, misleadingText } from '../values/misleading-text.ts'
import type { HistoryEntry } from './catalogued-token.ts'
import type { TokenEvent } from './token-event.ts'

/** The judgement of a memory, from 1, the worst, to 5, the best. */
export type Score = 1 | 2 | 3 | 4 | 5

/** The judgement of an account, and its reasons. */
export type Opinion = {
  readonly score: Score
  /** Up to 500 characters in up to 11 lines; empty for none. */
  readonly comment: string
}

/** The acts that a rating may follow. */
export type PaidAct = 'buy' | 'rent' | 'fork'

/** An act that was paid for a token. */
export type Payment = {
  readonly act: PaidAct
  /** The transaction that paid. */
  readonly txHash: Hex
}

/** A rating of a token by an account that paid for it; each account has one for each token. */
export type Rating = Opinion & {
  readonly tokenId: TokenId
  readonly account: Account
  /** The time of the signature; a later rating of the account replaces this one. */
  readonly ratedAt: Instant
  /** The text that the account signed (EIP-191), so that anyone can verify the rating. */
  readonly message: string
  readonly signature: Hex
  readonly payment: Payment
}

/** The numbers of the ratings of a token with each score, that of score 1 first. */
export type ScoreCounts = readonly [number, number, number, number, number]

/**
 * A token that was rated, and its worth: the average of its scores and of two more of 3, so that a single
 * rating counts little; in thousandths, rounded down.
 */
export type RatedToken = { readonly tokenId: TokenId; readonly worth: number }

/** The most UTF-16 code units and line breaks of a comment. */
export const commentLimits = { length: 500, lineBreaks: 10 } as const

/**
 * Parses an opinion. Refuses comments that could mislead a reader, as a card does.
 *
 * @throws `rating/malformed`
 */
export function opinion({ score, comment = '' }: opinion.Input): Opinion {
  const problem =
    Number.isInteger(score) && score >= 1 && score <= 5 ? problemOf(comment) : notScore
  if (problem !== undefined) throw new Failure('rating/malformed', { problem })
  return { score: score as Score, comment }
}

export declare namespace opinion {
  type Input = { readonly score: number; readonly comment?: string | undefined }
}

const notScore = 'its score must be 1, 2, 3, 4 or 5'

function problemOf(comment: string): string | undefined {
  const { length, lineBreaks } = commentLimits
  if (comment.length > length) return `its comment must have at most ${length} characters`
  const problem =
    misleadingText(comment.replaceAll('\n', '')) ?? misleadingLayout(comment, lineBreaks)
  return problem && `its comment ${problem}`
}

/**
 * Returns the last act of an account that lets it rate a token; `undefined` for none. An act counts
 * for the account that paid more than nothing for it, and for the account that a sale or a rental was
 * paid for. None counts of the creator, nor one in which the owner paid itself.
 *
 * @param entries The events of the token that name the account, oldest first.
 */
export function paymentBy(account: Account, entries: readonly HistoryEntry[]): Payment | undefined {
  const isCreator = entries.some(
    (entry) => entry.kind === 'mint' && sameAccount(entry.creator, account),
  )
  if (isCreator) return undefined
  const payments = entries.map((entry, at) => {
    const deal = dealOf(entry)
    const isPaid = deal !== undefined && isPaidBy(account, deal, entries.slice(0, at))
    return isPaid ? { act: deal.act, txHash: entry.txHash } : undefined
  })
  return payments.findLast((payment) => payment !== undefined)
}

/** Returns whether a deal counts for an account, after the earlier events that name it. */
function isPaidBy(
  account: Account,
  { amount, takers, payer, seller }: Deal,
  earlier: readonly HistoryEntry[],
): boolean {
  if (amount === 0n || !takers.some((taker) => sameAccount(taker, account))) return false
  if (seller === undefined) return !isOwnerAfter(earlier, account)
  return !sameAccount(seller, payer) && !sameAccount(seller, account)
}

/** Returns whether the last transfer that names an account was one to it. */
function isOwnerAfter(entries: readonly HistoryEntry[], account: Account): boolean {
  const last = entries.findLast((entry) => entry.kind === 'transfer')
  return last !== undefined && sameAccount(last.to, account)
}

/** A deal in a token. */
type Deal = {
  readonly act: PaidAct
  readonly payer: Account
  /** The accounts that it counts for. */
  readonly takers: readonly Account[]
  readonly amount: bigint
  /** Absent where the event does not say who owned the token. */
  readonly seller?: Account
}

type DealOf = { readonly [kind in TokenEvent['kind']]?: (event: TokenEvent<kind>) => Deal }

/** Reads the deal of each kind of event that is one. */
const deals: DealOf = {
  sale: ({ buyer: payer, recipient, price: amount, seller }) => ({
    act: 'buy',
    payer,
    takers: [payer, recipient],
    amount,
    seller,
  }),
  'dollar-sale': ({ payer, recipient, price: amount, seller }) => ({
    act: 'buy',
    payer,
    takers: [payer, recipient],
    amount,
    seller,
  }),
  rental: ({ payer, renter, paid: amount, owner: seller }) => ({
    act: 'rent',
    payer,
    takers: [payer, renter],
    amount,
    seller,
  }),
  'dollar-rental': ({ payer, renter, paid: amount, owner: seller }) => ({
    act: 'rent',
    payer,
    takers: [payer, renter],
    amount,
    seller,
  }),
  // The owner of a token may fork it for others, and pays itself.
  fork: ({ forker: payer, price: amount }) => ({ act: 'fork', payer, takers: [payer], amount }),
  'dollar-fork': ({ payer, price: amount }) => ({ act: 'fork', payer, takers: [payer], amount }),
}

const dealOf = (event: TokenEvent): Deal | undefined =>
  (deals[event.kind] as ((event: TokenEvent) => Deal) | undefined)?.(event)
