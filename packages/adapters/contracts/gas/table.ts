/** Formats a Markdown table; a column whose first cell is a number is aligned right. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const right = head.map((_, column) => /^\d/.test(rows[0]?.[column] ?? ''))
  const rule = widths.map((width, column) =>
    right[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  const lineOf = (cells: readonly string[]) => {
    const padded = cells.map((cell, column) => {
      const width = widths[column] ?? 0
      return right[column] ? cell.padStart(width) : cell.padEnd(width)
    })
    return `| ${padded.join(' | ')} |`
  }
  return [lineOf(head), lineOf(rule), ...rows.map(lineOf)]
}
