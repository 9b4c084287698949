import type { Reading } from './readings.ts'

/** A reading that is shown; one that was chosen in the tree has no size. */
export type ShownReading = Omit<Reading, 'size'> & { readonly size?: number }

const nouns = {
  conversation: ['Conversation', 'message', 'messages'],
  table: ['Table', 'row', 'rows'],
  markdown: ['Markdown', 'character', 'characters'],
} as const

/** Describes a reading in one line: `Table: $.data.facts, 30 rows`. */
export function describeReading({ kind, path, size }: ShownReading): string {
  const [name, one, many] = nouns[kind]
  const shortened = path.length > 60 ? `…${path.slice(-60)}` : path
  if (size === undefined) return `${name}: ${shortened}`
  return `${name}: ${shortened}, ${size.toLocaleString('en')} ${size === 1 ? one : many}`
}
