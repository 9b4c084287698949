import { markdownTable } from '../../../../publish/markdown-table.ts'

/** Formats a Markdown table; a column whose first cell is a number is aligned right. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rules = head.map((_, column) => (/^\d/.test(rows[0]?.[column] ?? '') ? '---:' : '---'))
  return markdownTable(head, rows, rules)
}
