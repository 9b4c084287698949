import { shareOf, wei } from '@heirloom/core'
import type { TimedLog } from '../indexer/chain-reader.ts'
import type { EarningsRow, TokenRow } from '../schema.ts'
import { accountIn, amountIn, type LogWords, numberIn } from './log-words.ts'
import { parseClaims } from './royalty-claims.ts'

/** An amount that an event pays to an account, or a withdrawal of its credit. */
export type Earning = {
  readonly account: string
  readonly block: number
  readonly logIndex: number
  readonly kind: 'sales' | 'rentals' | 'forks' | 'royalties' | 'credit'
  /** The amount paid; absent when the whole credit is withdrawn. */
  readonly amount: bigint | undefined
}

type Tokens = ReadonlyMap<number, TokenRow>

/** Returns what an event pays to an account, given the tokens as of that event. */
export function earningsOf(tokens: Tokens, log: TimedLog): readonly Earning[] {
  const earning = earningReaders[log.name]?.(tokens, log.words)
  return earning === undefined ? [] : [{ ...earning, block: log.block, logIndex: log.logIndex }]
}

type Payment = Pick<Earning, 'account' | 'kind' | 'amount'> | undefined

const earningReaders: Readonly<Record<string, (tokens: Tokens, words: LogWords) => Payment>> = {
  Sold: (tokens, words) => ({
    account: accountIn(words, 'seller'),
    kind: 'sales',
    amount: ownerShare(tokens.get(numberIn(words, 'tokenId')), amountIn(words, 'price')),
  }),
  Rented: (tokens, words) => ({
    account: accountIn(words, 'owner'),
    kind: 'rentals',
    amount: ownerShare(tokens.get(numberIn(words, 'tokenId')), amountIn(words, 'paid')),
  }),
  Forked: (tokens, words) => {
    const parent = tokens.get(numberIn(words, 'parent'))
    if (parent === undefined) return undefined
    const amount = ownerShare(parent, amountIn(words, 'price'))
    return { account: parent.owner, kind: 'forks', amount }
  },
  RoyaltyPaid: (_, words) => ({
    account: accountIn(words, 'to'),
    kind: 'royalties',
    amount: amountIn(words, 'amount'),
  }),
  Credited: (_, words) => ({
    account: accountIn(words, 'to'),
    kind: 'credit',
    amount: amountIn(words, 'amount'),
  }),
  Withdrawn: (_, words) => ({
    account: accountIn(words, 'account'),
    kind: 'credit',
    amount: undefined,
  }),
}

/** Returns the part of a price that remains for the owner after the claims on the token. */
function ownerShare(token: TokenRow | undefined, amount: bigint): bigint {
  const price = wei(amount)
  return parseClaims(token).reduce((rest, bps) => rest - shareOf(price, bps), amount)
}

const zero = { sales: '0', rentals: '0', forks: '0', royalties: '0', credit: '0' }

/** The total earnings of each account. */
export type EarningsTotals = Map<string, EarningsRow>

/** Adds earnings to the totals, and returns a row for each. */
export function addEarnings(
  totals: EarningsTotals,
  earnings: readonly Earning[],
): readonly EarningsRow[] {
  return earnings.map(({ account, kind, amount, block, logIndex }) => {
    const before = totals.get(account) ?? { account, ...zero, block, logIndex }
    const total = amount === undefined ? 0n : BigInt(before[kind]) + amount
    const row = { ...before, block, logIndex, [kind]: String(total) }
    totals.set(account, row)
    return row
  })
}
