import type { HeldString, Scan } from './scan.ts'

/**
 * Returns a copy of the text in which a note stands in the place of every string that is held back.
 * The rest is unchanged, and JSON stays JSON. A text that was scanned as one string is held whole.
 */
export function quarantine(text: string, { held, isAllHeld }: Scan): string {
  if (isAllHeld) return JSON.stringify({ note: '(held back as a whole)' })
  const parts: string[] = []
  let at = 0
  for (const [nth, string] of held.entries()) {
    parts.push(text.slice(at, string.at), noteOf(string, nth))
    at = string.end
  }
  return [...parts, text.slice(at)].join('')
}

// The number keeps the names of members apart.
const noteOf = ({ kinds }: HeldString, nth: number): string =>
  JSON.stringify(`(held back ${nth + 1}: ${kinds.join(', ')})`)
