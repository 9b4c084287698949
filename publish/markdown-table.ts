/** Returns a table in Markdown, with one space around each cell. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) =>
    `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
  return [head, head.map(() => '---'), ...rows].map(line).join('\n')
}
