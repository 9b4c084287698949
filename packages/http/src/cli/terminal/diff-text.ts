import type { Change } from '../../diff/change.ts'
import { diffLines } from '../../diff/line-hunks.ts'
import { type Line, printableJson } from './output.ts'

/** Returns changes as lines: removed values in red, added values in green. */
export const diffText = (changes: readonly Change[]): readonly Line[] => changes.flatMap(linesOf)

/** Counts changes: `2 added, 1 changed`. */
export function countChanges(changes: readonly Change[]): string {
  const kinds = ['added', 'removed', 'changed', 'moved'] as const
  const counts = kinds.map((kind) => [changes.filter((it) => it.kind === kind).length, kind])
  return counts
    .filter(([count]) => count !== 0)
    .map((it) => it.join(' '))
    .join(', ')
}

function linesOf(change: Change): readonly Line[] {
  const { path } = change
  if (change.kind === 'added') return [added(`${path}  ${short(change.value)}`)]
  if (change.kind === 'removed') return [removed(`${path}  ${short(change.value)}`)]
  if (change.kind === 'moved') {
    return [[{ style: 'yellow', text: `> ${path}  has another place among the members` }]]
  }
  const { before, after } = change
  if (hasLines(before) || hasLines(after)) return textLines(path, before, after)
  return [removed(`${path}  ${short(before)}`), added(`${path}  ${short(after)}`)]
}

const added = (text: string): Line => [{ style: 'green', text: `+ ${text}` }]
const removed = (text: string): Line => [{ style: 'red', text: `- ${text}` }]

const hasLines = (json: string): boolean => json.startsWith('"') && json.includes('\\n')

/** Returns the difference of two strings line by line, if both are strings. */
function textLines(path: string, before: string, after: string): readonly Line[] {
  const [older, newer]: readonly unknown[] = [JSON.parse(before), JSON.parse(after)]
  if (typeof older !== 'string' || typeof newer !== 'string') {
    return [removed(`${path}  ${short(before)}`), added(`${path}  ${short(after)}`)]
  }
  return [
    [{ style: 'bold', text: `~ ${path}` }],
    ...diffLines(older, newer).flatMap(({ from, lines }) => [
      [{ style: 'dim', text: `    line ${from}` }] as const,
      ...lines.map((line) => {
        const text = short(line.text)
        if (line.in === 'both') return `    ${text}`
        return line.in === 'before' ? removed(`  ${text}`) : added(`  ${text}`)
      }),
    ]),
  ]
}

/** The most characters of a value or a line that are shown. */
const mostCharacters = 400

/** Returns the beginning of a text. Escapes tell characters apart that look alike or like nothing. */
function short(text: string): string {
  const shown = printableJson(text.slice(0, mostCharacters))
  const rest = text.length - mostCharacters
  return rest > 0 ? `${shown}… and ${rest} more characters` : shown
}
