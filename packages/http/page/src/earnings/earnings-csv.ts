import type { Earning } from '../../../src/client/responses.ts'
import { formatAmount } from '../text/amount.ts'
import type { Currency, CurrencyKind } from '../text/currency.ts'
import { formatCsv } from '../text/format-csv.ts'

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
