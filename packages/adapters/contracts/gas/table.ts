/** Formats a Markdown table; a column whose first cell is a number is aligned right. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const rule = head.map((_, column) => (/^\d/.test(rows[0]?.[column] ?? '') ? '---:' : '---'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}
