import { shareOf, type Wei, wei } from '@heirloom/core'
import type { TimedLog } from '../indexer/chain-reader.ts'
import type { EarningsRow, TokenRow } from '../schema.ts'
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
  const earning = earningReaders[log.name]?.(tokens, log)
  return earning === undefined ? [] : [{ ...earning, block: log.block, logIndex: log.logIndex }]
}

type Payment = Pick<Earning, 'account' | 'kind' | 'amount'> | undefined

const earningReaders: Readonly<Record<string, (tokens: Tokens, log: TimedLog) => Payment>> = {
  Sold: (tokens, log) => ({
    account: accountIn(log, 'seller'),
    kind: 'sales',
    amount: ownerShare(tokens.get(numberIn(log, 'tokenId')), amountIn(log, 'price')),
  }),
  Rented: (tokens, log) => ({
    account: accountIn(log, 'owner'),
    kind: 'rentals',
    amount: ownerShare(tokens.get(numberIn(log, 'tokenId')), amountIn(log, 'paid')),
  }),
  Forked: (tokens, log) => {
    const parent = tokens.get(numberIn(log, 'parent'))
    if (parent === undefined) return undefined
    const amount = ownerShare(parent, amountIn(log, 'price'))
    return { account: parent.owner, kind: 'forks', amount }
  },
  RoyaltyPaid: (_, log) => ({
    account: accountIn(log, 'to'),
    kind: 'royalties',
    amount: amountIn(log, 'amount'),
  }),
  Credited: (_, log) => ({
    account: accountIn(log, 'to'),
    kind: 'credit',
    amount: amountIn(log, 'amount'),
  }),
  Withdrawn: (_, log) => ({
    account: accountIn(log, 'account'),
    kind: 'credit',
    amount: undefined,
  }),
}

const wordOf = ({ words }: TimedLog, name: string) => words[name] ?? '0'
const accountIn = (log: TimedLog, name: string) => `0x${wordOf(log, name).slice(24)}`
const numberIn = (log: TimedLog, name: string) => Number(`0x${wordOf(log, name)}`)
const amountIn = (log: TimedLog, name: string): Wei => wei(BigInt(`0x${wordOf(log, name)}`))

/** Returns the part of a price that remains for the owner after the claims on the token. */
function ownerShare(token: TokenRow | undefined, price: Wei): bigint {
  return parseClaims(token).reduce((rest, bps) => rest - shareOf(price, bps), price as bigint)
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
