import { type Currency, dollarDecimals } from '@heirloom/core'
import { decimalText } from '../../api/amount-notation.ts'
import type { Line } from './output.ts'

/** Returns a table of two columns: names and values. */
export function rows(pairs: readonly (readonly [string, string])[]): readonly Line[] {
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => [{ style: 'dim', text: name.padEnd(width) }, `  ${value}`])
}

/** Returns a time, in seconds since 1970, as a date and time in UTC. */
export const timeText = (seconds: string): string =>
  new Date(Number(seconds) * 1000).toISOString().replace('.000Z', ' UTC').replace('T', ' ')

/** Returns a table of columns, each as wide as its longest cell. */
export function columns(table: readonly (readonly string[])[]): readonly string[] {
  const widths = (table[0] ?? []).map((_, at) =>
    Math.max(...table.map((row) => row[at]?.length ?? 0)),
  )
  return table.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Returns an amount in ether and in wei. */
export function amountText(wei: bigint): string {
  return `${etherText(wei)} ether (${wei} wei)`
}

/** Returns an amount of millionths of a dollar in dollars. */
export function dollarText(amount: bigint): string {
  return `${decimalText(amount, dollarDecimals)} USD`
}

/** Returns an amount of a currency. */
export const priceText = (currency: Currency, amount: bigint | string): string =>
  currency === 'native' ? amountText(BigInt(amount)) : dollarText(BigInt(amount))

const etherText = (wei: bigint): string => decimalText(wei, 18)

/** The most ids that one line names. */
const mostIds = 20

/** Returns ids as one line, of many only the first ones and how many more there are. */
export function idsText(ids: readonly (bigint | string)[]): string {
  const shown = ids.slice(0, mostIds).join(', ')
  return ids.length > mostIds ? `${shown} and ${ids.length - mostIds} more` : shown
}

/** Returns a text in lines of at most `width` characters, broken between words; a longer word stays whole. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length > width && line !== '') {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}
