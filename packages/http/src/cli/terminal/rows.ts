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
