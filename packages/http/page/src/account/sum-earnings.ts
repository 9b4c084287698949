import type { Earning } from '../../../src/client/responses.ts'
import { formatCsv } from '../parts/save-file.ts'
import { type Currency, type CurrencyKind, formatAmount } from '../text/amount.ts'

/** The kinds of earnings, in the order of the columns. */
export const earningKinds = ['sales', 'rentals', 'forks', 'royalties'] as const

/** The names of the kinds of earnings on the screen. */
export const earningNames = {
  sales: 'Sales',
  rentals: 'Rentals',
  forks: 'Forks',
  royalties: 'Royalties',
} as const

/** The sums of some payments in one currency, by their kind, and all together. */
type EarningSums = Readonly<Record<(typeof earningKinds)[number] | 'total', bigint>>

/** A row of a table: a month such as `2026-11`, or the id of a memory, and what it earned. */
export type EarningsRow = { readonly key: string; readonly sums: EarningSums }

const nothing: EarningSums = { sales: 0n, rentals: 0n, forks: 0n, royalties: 0n, total: 0n }

/** Returns the month of a payment in UTC, such as `2026-11`. */
const monthOf = ({ timestamp }: Pick<Earning, 'timestamp'>): string =>
  new Date(Number(timestamp) * 1000).toISOString().slice(0, 7)

/** Adds up the payments in a currency by month, the newest first. */
export const sumByMonth = (
  all: readonly Earning[],
  currency: CurrencyKind,
): readonly EarningsRow[] =>
  sumBy(all, currency, monthOf).toSorted((one, other) => (one.key < other.key ? 1 : -1))

/** Adds up the payments in a currency by memory, the one that earned most first. */
export const sumByMemory = (
  all: readonly Earning[],
  currency: CurrencyKind,
): readonly EarningsRow[] =>
  sumBy(all, currency, ({ tokenId }) => tokenId).toSorted((one, other) =>
    other.sums.total > one.sums.total ? 1 : -1,
  )

function sumBy(
  all: readonly Earning[],
  currency: CurrencyKind,
  keyOf: (earning: Earning) => string,
): readonly EarningsRow[] {
  const rows = new Map<string, EarningSums>()
  for (const earning of all.filter((it) => it.currency === currency)) {
    const { kind, amount } = earning
    const before = rows.get(keyOf(earning)) ?? nothing
    const added = BigInt(amount)
    const sums = { ...before, [kind]: before[kind] + added, total: before.total + added }
    rows.set(keyOf(earning), sums)
  }
  return [...rows].map(([key, sums]) => ({ key, sums }))
}

/** Returns the months from the first to the last one, also those without earnings, the oldest first. */
export function fillMonths(rows: readonly EarningsRow[]): readonly EarningsRow[] {
  const sums = new Map(rows.map((row) => [row.key, row.sums]))
  const keys = [...sums.keys()].toSorted()
  const [first, last] = [keys[0], keys.at(-1)]
  if (first === undefined || last === undefined) return []
  const filled: EarningsRow[] = []
  for (let key = first; key <= last; key = nextMonth(key)) {
    filled.push({ key, sums: sums.get(key) ?? nothing })
  }
  return filled
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}

const columns = ['time', 'kind', 'memory', 'amount', 'currency', 'transaction', 'event'] as const

/** Returns payments as a table of comma-separated values (RFC 4180), with exact amounts. */
export function earningsCsv(
  all: readonly Earning[],
  currencyOf: (kind: CurrencyKind) => Pick<Currency, 'decimals' | 'symbol'>,
): string {
  const rows = all.map(({ timestamp, kind, tokenId, amount, currency, txHash, event }) => {
    const { decimals, symbol } = currencyOf(currency)
    const time = new Date(Number(timestamp) * 1000).toISOString()
    const exact = formatAmount(BigInt(amount), { decimals })
    return [time, kind, tokenId, exact, symbol, txHash, event]
  })
  return formatCsv([columns, ...rows])
}
