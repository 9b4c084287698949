import { type Currency, shareOf, wei } from '@heirloom/core'
import type { Kysely } from 'kysely'
import type { TimedLog } from '../indexer/chain-reader.ts'
import type { Database, EarningsRow, TokenRow } from '../schema.ts'
import { hexOf } from '../table.ts'
import { accountIn, amountIn, type LogWords, numberIn } from './decode-log.ts'

/** An amount that an event pays to an account, or a withdrawal of its credit. */
export type Earning = {
  readonly account: string
  readonly currency: Currency
  readonly block: number
  readonly logIndex: number
  readonly kind: 'sales' | 'rentals' | 'forks' | 'royalties' | 'credit'
  /** The amount paid; absent when the whole credit is withdrawn. */
  readonly amount: bigint | undefined
}

type Tokens = ReadonlyMap<number, TokenRow>

/** Returns what an event pays to accounts, given the tokens as of that event. */
export function earningsOf(tokens: Tokens, log: TimedLog): readonly Earning[] {
  const { block, logIndex, words } = log
  const reader = readers[log.name]
  if (reader === undefined) return takenOver(log)
  const { currency, read } = reader
  const payment = read(tokens, words)
  if (payment === undefined) return []
  const earning = { ...payment, currency, block, logIndex }
  return payment.kind === 'credit' ? [earning] : [earning, { ...earning, account: everyone }]
}

/** The name under which the earnings of all accounts are added up; no address is like it. */
export const everyone = 'everyone'

type Payment = Pick<Earning, 'account' | 'kind' | 'amount'> | undefined

type Read = (tokens: Tokens, words: LogWords) => Payment

const sale: Read = (tokens, words) => ({
  account: accountIn(words, 'seller'),
  kind: 'sales',
  amount: ownerShare(tokens.get(numberIn(words, 'tokenId')), amountIn(words, 'price')),
})

const rental: Read = (tokens, words) => ({
  account: accountIn(words, 'owner'),
  kind: 'rentals',
  amount: ownerShare(tokens.get(numberIn(words, 'tokenId')), amountIn(words, 'paid')),
})

const fork: Read = (tokens, words) => {
  const parent = tokens.get(numberIn(words, 'parent'))
  if (parent === undefined) return undefined
  const amount = ownerShare(parent, amountIn(words, 'price'))
  return { account: hexOf(parent.owner), kind: 'forks', amount }
}

const royalty: Read = (_, words) => ({
  account: accountIn(words, 'to'),
  kind: 'royalties',
  amount: amountIn(words, 'amount'),
})

const credit: Read = (_, words) => ({
  account: accountIn(words, 'to'),
  kind: 'credit',
  amount: amountIn(words, 'amount'),
})

const withdrawal: Read = (_, words) => ({
  account: accountIn(words, 'account'),
  kind: 'credit',
  amount: undefined,
})

type Reader = { readonly currency: Currency; readonly read: Read }

const inWei = (read: Read): Reader => ({ currency: 'native', read })
const inDollars = (read: Read): Reader => ({ currency: 'dollar', read })

const readers: Readonly<Record<string, Reader>> = {
  Sold: inWei(sale),
  Rented: inWei(rental),
  Forked: inWei(fork),
  RoyaltyPaid: inWei(royalty),
  Credited: inWei(credit),
  Withdrawn: inWei(withdrawal),
  SoldForDollars: inDollars(sale),
  RentedForDollars: inDollars(rental),
  ForkedForDollars: inDollars(fork),
  RoyaltyPaidInDollars: inDollars(royalty),
  DollarsCredited: inDollars(credit),
  DollarsWithdrawn: inDollars(withdrawal),
}

/** Returns how an heir takes over the credit of an account, in both currencies. */
function takenOver({ name, words, block, logIndex }: TimedLog): readonly Earning[] {
  if (name !== 'CreditTakenOver') return []
  const from = accountIn(words, 'account')
  const heir = accountIn(words, 'heir')
  const credits = [
    ['native', amountIn(words, 'amount')],
    ['dollar', amountIn(words, 'dollars')],
  ] as const
  return credits
    .filter(([, amount]) => amount > 0n)
    .flatMap(([currency, amount]) => {
      const change = { currency, block, logIndex, kind: 'credit' } as const
      return [
        { ...change, account: from, amount: undefined },
        { ...change, account: heir, amount },
      ]
    })
}

/** Returns the part of a price that remains for the owner after the claims on the token. */
function ownerShare(token: TokenRow | undefined, amount: bigint): bigint {
  const price = wei(amount)
  return parseClaims(token).reduce((rest, bps) => rest - shareOf(price, bps), amount)
}

const zero = { sales: '0', rentals: '0', forks: '0', royalties: '0', credit: '0' }

/** The total earnings of each account in each currency, by `totalsKey`. */
export type EarningsTotals = Map<string, EarningsRow>

/** Returns the key of an account's total earnings in a currency. */
export const totalsKey = ({ account, currency }: Pick<Earning, 'account' | 'currency'>): string =>
  `${account} ${currency}`

/** Adds earnings to the totals, and returns a row for each. */
export function addEarnings(
  totals: EarningsTotals,
  earnings: readonly Earning[],
): readonly EarningsRow[] {
  return earnings.map(({ kind, amount, ...earning }) => {
    const key = totalsKey(earning)
    const before = totals.get(key) ?? { ...zero, ...earning }
    const total = amount === undefined ? 0n : BigInt(before[kind]) + amount
    const row = { ...before, ...earning, [kind]: String(total) }
    totals.set(key, row)
    return row
  })
}

/** Reads the total earnings of an account in a currency; `undefined` when it never earned in it. */
export function readTotals(
  db: Kysely<Database>,
  { account, currency }: Pick<Earning, 'account' | 'currency'>,
) {
  return db
    .selectFrom('income')
    .selectAll()
    .where('account', '=', account)
    .where('currency', '=', currency)
    .orderBy('block', 'desc')
    .orderBy('logIndex', 'desc')
    .limit(1)
    .executeTakeFirst()
}

type WithClaims = Pick<TokenRow, 'claims'>

/** Returns the royalty claims on a token in basis points, the oldest first. */
export function parseClaims(token: WithClaims | undefined): readonly number[] {
  return token?.claims ? token.claims.split(' ').map(Number) : []
}

/** Returns the claims on a licensed fork: those on its parent, then its own share, if any. */
export function claimsOfFork(parent: WithClaims | undefined, royaltyBps: number): string {
  return [...parseClaims(parent), royaltyBps].filter((share) => share > 0).join(' ')
}
