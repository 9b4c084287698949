import { shareOf, type Wei, wei } from '@heirloom/core'
import type { TimedLog } from '../indexer/chain-reader.ts'
import { claimsIn } from './royalty-claims.ts'
import type { IncomeRow, TokenRow } from '../schema.ts'

/** What an event gave to an account, or took from its credit. */
export type Income = {
  readonly account: string
  readonly block: number
  readonly logIndex: number
  readonly kind: 'sales' | 'rentals' | 'forks' | 'royalties' | 'credit'
  /** The amount; all of it when absent. */
  readonly amount: bigint | undefined
}

type Tokens = ReadonlyMap<number, TokenRow>

/** Returns what an event gave to whom, given the tokens as they were then. */
export function incomesOf(tokens: Tokens, log: TimedLog): readonly Income[] {
  const income = givers[log.name]?.(tokens, log)
  return income === undefined ? [] : [{ ...income, block: log.block, logIndex: log.logIndex }]
}

type Given = Pick<Income, 'account' | 'kind' | 'amount'> | undefined

const givers: Readonly<Record<string, (tokens: Tokens, log: TimedLog) => Given>> = {
  Sold: (tokens, log) => ({
    account: accountIn(log, 'seller'),
    kind: 'sales',
    amount: restOf(tokens.get(numberIn(log, 'tokenId')), amountIn(log, 'price')),
  }),
  Rented: (tokens, log) => ({
    account: accountIn(log, 'owner'),
    kind: 'rentals',
    amount: restOf(tokens.get(numberIn(log, 'tokenId')), amountIn(log, 'paid')),
  }),
  Forked: (tokens, log) => {
    const parent = tokens.get(numberIn(log, 'parent'))
    if (parent === undefined) return undefined
    const amount = restOf(parent, amountIn(log, 'price'))
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

/** Returns the part of a price that the claims on a token leave to its owner. */
function restOf(token: TokenRow | undefined, price: Wei): bigint {
  return claimsIn(token).reduce((rest, bps) => rest - shareOf(price, bps), price as bigint)
}

const nothing = { sales: '0', rentals: '0', forks: '0', royalties: '0', credit: '0' }

/** What each account had earned in all. */
export type Totals = Map<string, IncomeRow>

/** Adds incomes to what was earned before, and returns a row for each. */
export function added(totals: Totals, incomes: readonly Income[]): readonly IncomeRow[] {
  return incomes.map(({ account: to, kind, amount, block, logIndex }) => {
    const before = totals.get(to) ?? { account: to, ...nothing, block, logIndex }
    const sum = amount === undefined ? 0n : BigInt(before[kind]) + amount
    const row = { ...before, block, logIndex, [kind]: String(sum) }
    totals.set(to, row)
    return row
  })
}
