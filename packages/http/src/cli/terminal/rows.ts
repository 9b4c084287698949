import type { Line } from './output.ts'

/** Returns what something is beside what it is called, one below the other. */
export function rows(pairs: readonly (readonly [string, string])[]): readonly Line[] {
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => [{ style: 'dim', text: name.padEnd(width) }, `  ${value}`])
}

/** Returns a time in seconds as people read it. */
export const timeText = (seconds: string): string =>
  new Date(Number(seconds) * 1000).toISOString().replace('.000Z', ' UTC').replace('T', ' ')
