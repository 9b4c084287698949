/** Returns a table in Markdown, with one space around each cell; a rule says how a column is aligned. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  rules: readonly string[] = head.map(() => '---'),
): string {
  const line = (cells: readonly string[]) =>
    `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
  return [head, rules, ...rows].map(line).join('\n')
}
