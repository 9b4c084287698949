import type { Earning, Event, Page } from '../../../src/client/responses.ts'
import { readNow } from '../api/get-json.ts'
import { formatCsv } from '../parts/save-file.ts'
import { isSameAccount } from '../text/account.ts'
import { type Currency, type CurrencyKind, currencyOfEvent, formatAmount } from '../text/amount.ts'

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
export const monthOf = ({ timestamp }: Pick<Earning, 'timestamp'>): string =>
  new Date(Number(timestamp) * 1000).toISOString().slice(0, 7)

/**
 * Returns what an account paid in some events, as what others earned. A royalty that belongs to the price
 * of a deal is left out, and so are network fees, which no event names.
 */
export function spendingsIn(events: readonly Event[], account: string): readonly Earning[] {
  const deals = new Set(events.filter((it) => !isRoyalty(it)).map(({ txHash }) => txHash))
  return events.flatMap((event) => {
    const { kind, payer, amount } = paidIn(event) ?? {}
    if (kind === undefined || amount === undefined || !isSameAccount(payer, account)) return []
    if (isRoyalty(event) && deals.has(event.txHash)) return []
    const { id, tokenId, txHash, timestamp } = event
    return [
      { kind, currency: currencyOfEvent(event), amount, event: id, tokenId, txHash, timestamp },
    ]
  })
}

const isRoyalty = ({ kind }: Event): boolean => kind === 'royalty' || kind === 'dollar-royalty'

/** The kinds of events in which somebody pays. */
const paidKinds = ['sale', 'rental', 'fork', 'royalty'].flatMap((it) => [it, `dollar-${it}`]).join()

type Paid = Pick<Earning, 'kind' | 'amount'> & { readonly payer: string }

/** Returns what an event says was paid, and by whom; `undefined` where nothing was. */
export function paidIn(event: Event): Paid | undefined {
  switch (event.kind) {
    case 'sale':
      return { kind: 'sales', payer: event.buyer, amount: event.price }
    case 'dollar-sale':
      return { kind: 'sales', payer: event.payer, amount: event.price }
    case 'fork':
      return { kind: 'forks', payer: event.forker, amount: event.price }
    case 'dollar-fork':
      return { kind: 'forks', payer: event.payer, amount: event.price }
    case 'rental':
    case 'dollar-rental':
      return { kind: 'rentals', payer: event.payer, amount: event.paid }
    case 'royalty':
    case 'dollar-royalty':
      return { kind: 'royalties', payer: event.from, amount: event.amount }
    default:
      return undefined
  }
}

/** The part of a list that was read, the newest first; with `isCut` there is more. */
export type Some<T> = { readonly items: readonly T[]; readonly isCut: boolean }

type ReadOptions<T> = {
  /** The most pages that are read. */
  readonly most: number
  /** Returns whether what follows an item is needed. */
  readonly goesOn?: (last: T) => boolean
}

/** Reads a list page by page, as far as it is needed. */
export async function readSome<T>(
  read: (after: string) => Promise<Page<T>>,
  { most, goesOn = () => true }: ReadOptions<T>,
): Promise<Some<T>> {
  const items: T[] = []
  let next: string | null = ''
  for (let pages = 0; pages < most && next !== null; pages += 1) {
    const page: Page<T> = await read(next)
    items.push(...page.items)
    const last = items.at(-1)
    if (last !== undefined && !goesOn(last)) return { items, isCut: false }
    next = page.next
  }
  return { items, isCut: next !== null }
}

type PaymentOptions = ReadOptions<Pick<Earning, 'timestamp'>> & {
  /** The most pages of events that are read for what it paid; as many as of the others when absent. */
  readonly mostPaid?: number
}

/** Reads the payments that an account received, and those that it made, the newest first. */
export async function readPayments(
  account: string,
  { mostPaid, ...options }: PaymentOptions,
  signal: AbortSignal,
) {
  const [received, { items, isCut }] = await Promise.all([
    readSome<Earning>(
      (after) => readNow('eachEarning', { address: account, limit: 100, after }, { signal }),
      options,
    ),
    readSome<Event>(
      (after) => readNow('activity', { account, kind: paidKinds, limit: 100, after }, { signal }),
      { ...options, most: mostPaid ?? options.most },
    ),
  ])
  return { received, paid: spendingsIn(items, account), isCut: received.isCut || isCut }
}

/** Adds up the payments in each currency. */
export function sumCurrencies(all: readonly Earning[]): Readonly<Record<CurrencyKind, bigint>> {
  const sums = { native: 0n, dollar: 0n }
  for (const { currency, amount } of all) sums[currency] += BigInt(amount)
  return sums
}

/** Adds up the payments in a currency by month, the newest first. */
export const sumByMonth = sumBy(monthOf, (one, other) => one.key < other.key)

/** Adds up the payments in a currency by memory, the one that earned most first. */
export const sumByMemory = sumBy(
  ({ tokenId }) => tokenId,
  (one, other) => other.sums.total > one.sums.total,
)

function sumBy(
  keyOf: (earning: Earning) => string,
  isAfter: (one: EarningsRow, other: EarningsRow) => boolean,
) {
  return (all: readonly Earning[], currency: CurrencyKind): readonly EarningsRow[] => {
    const rows = new Map<string, EarningSums>()
    for (const earning of all.filter((it) => it.currency === currency)) {
      const { kind, amount } = earning
      const before = rows.get(keyOf(earning)) ?? nothing
      const added = BigInt(amount)
      const sums = { ...before, [kind]: before[kind] + added, total: before.total + added }
      rows.set(keyOf(earning), sums)
    }
    return [...rows]
      .map(([key, sums]) => ({ key, sums }))
      .toSorted((one, other) => (isAfter(one, other) ? 1 : -1))
  }
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
