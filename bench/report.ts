import { markdownTable } from '../publish/markdown-table.ts'
import { type Result, type Results, verdictOf } from './figure.ts'

const number = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: 3 })

const head = ['', 'Figure', 'Ratio', 'Rounds', 'Must', 'Aim', 'Reached', 'Value', 'Yardstick']

function rowOf(result: Result): readonly string[] {
  const { id, what, ratio, band, must, aim, value, unit, yardstick, against } = result
  return [
    ...[id, what, number(ratio), band.map(number).join(' to '), number(must), number(aim)],
    ...[verdictOf(result), `${number(value)} ${unit}`, `${number(yardstick)} (${against})`],
  ]
}

/** Returns the figures as a Markdown table. */
export const tableOf = ({ figures }: Results): string => markdownTable(head, figures.map(rowOf))

const [begin, end] = ['<!-- figures -->', '<!-- end of figures -->']

/** Replaces the table of a document by the table of new results. */
export function replaceTable(document: string, results: Results): string {
  const [before = '', after = ''] = [document.split(begin)[0], document.split(end)[1]]
  return `${before}${begin}\n\n${tableOf(results)}\n\n${end}${after}`
}
