import type { Income } from '../../../src/client/responses.ts'
import type { CurrencyKind } from '../text/currency.ts'

/** The kinds of income, in the order of the columns. */
export const incomeKinds = ['sales', 'rentals', 'forks', 'royalties'] as const

/** The sums of some payments in one currency, by their kind, and all together. */
export type IncomeSums = Readonly<Record<(typeof incomeKinds)[number] | 'total', bigint>>

/** A row of a table: a month such as `2026-11`, or the id of a memory, and what it earned. */
export type IncomeRow = { readonly key: string; readonly sums: IncomeSums }

const nothing: IncomeSums = { sales: 0n, rentals: 0n, forks: 0n, royalties: 0n, total: 0n }

/** Returns the month of a payment in UTC, such as `2026-11`. */
export const monthOf = ({ timestamp }: Pick<Income, 'timestamp'>): string =>
  new Date(Number(timestamp) * 1000).toISOString().slice(0, 7)

/** Adds up the payments in a currency by month, the newest first. */
export const sumByMonth = (all: readonly Income[], currency: CurrencyKind): readonly IncomeRow[] =>
  sumBy(all, currency, monthOf).toSorted((one, other) => (one.key < other.key ? 1 : -1))

/** Adds up the payments in a currency by memory, the one that earned most first. */
export const sumByMemory = (all: readonly Income[], currency: CurrencyKind): readonly IncomeRow[] =>
  sumBy(all, currency, ({ tokenId }) => tokenId).toSorted((one, other) =>
    other.sums.total > one.sums.total ? 1 : -1,
  )

function sumBy(
  all: readonly Income[],
  currency: CurrencyKind,
  keyOf: (income: Income) => string,
): readonly IncomeRow[] {
  const rows = new Map<string, IncomeSums>()
  for (const income of all.filter((it) => it.currency === currency)) {
    const { kind, amount } = income
    const before = rows.get(keyOf(income)) ?? nothing
    const added = BigInt(amount)
    const sums = { ...before, [kind]: before[kind] + added, total: before.total + added }
    rows.set(keyOf(income), sums)
  }
  return [...rows].map(([key, sums]) => ({ key, sums }))
}

/** Returns the months from the first to the last one, also those without income, the oldest first. */
export function fillMonths(rows: readonly IncomeRow[]): readonly IncomeRow[] {
  const sums = new Map(rows.map((row) => [row.key, row.sums]))
  const keys = [...sums.keys()].toSorted()
  const [first, last] = [keys[0], keys.at(-1)]
  if (first === undefined || last === undefined) return []
  const filled: IncomeRow[] = []
  for (let key = first; key <= last; key = nextMonth(key)) {
    filled.push({ key, sums: sums.get(key) ?? nothing })
  }
  return filled
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}
