import type { Change, Diff } from '../../diff/change.ts'
import { diffLines } from '../../diff/line-hunks.ts'

/** The most characters of changes in one result, and of one value among them. */
const mostCharacters = 20_000
const mostOfValue = 1_000

export declare namespace diffPart {
  type Shown = {
    readonly kind: Change['kind']
    readonly path: string
    readonly before?: string
    readonly after?: string
    readonly lines?: string
  }
  type Part = {
    readonly counts: Readonly<Record<Change['kind'], number>>
    readonly changes: readonly Change[]
    readonly next: number | null
  }
}

/** Returns the changes from an offset on that fit in the context of a model once they are shown. */
export function diffPart({ changes }: Pick<Diff, 'changes'>, offset: number): diffPart.Part {
  const counts = { added: 0, removed: 0, changed: 0, moved: 0 }
  for (const { kind } of changes) counts[kind]++
  const chosen: Change[] = []
  let left = mostCharacters
  for (const change of changes.slice(offset)) {
    left -= JSON.stringify(showChange(change)).length
    if (left < 0 && chosen.length > 0) break
    chosen.push(change)
  }
  const end = offset + chosen.length
  return { counts, changes: chosen, next: end < changes.length ? end : null }
}

/** Returns a change with its long values cut, and with the lines of texts of several lines. */
export function showChange(change: Change): diffPart.Shown {
  const { kind } = change
  const path = cut(change.path)
  if (kind === 'moved') return { kind, path }
  if (kind === 'added') return { kind, path, after: cut(change.value) }
  if (kind === 'removed') return { kind, path, before: cut(change.value) }
  const { before, after } = change
  const lines = showLines(before, after)
  return { kind, path, ...(lines ? { lines } : { before: cut(before), after: cut(after) }) }
}

const marks = { before: '-', after: '+', both: ' ' } as const

/** Returns the lines that differ in two strings of several lines. */
function showLines(before: string, after: string): string | undefined {
  if (!before.includes('\\n') && !after.includes('\\n')) return undefined
  const [older, newer]: readonly unknown[] = [JSON.parse(before), JSON.parse(after)]
  if (typeof older !== 'string' || typeof newer !== 'string') return undefined
  const hunks = diffLines(older, newer).map(({ from, lines }) =>
    [`@@ line ${from} @@`, ...lines.map((it) => `${marks[it.in]} ${it.text}`)].join('\n'),
  )
  return cut(hunks.join('\n'), 4 * mostOfValue)
}

function cut(text: string, most = mostOfValue): string {
  // Many programs cannot read half of a surrogate pair.
  const start = text.slice(0, most).toWellFormed()
  return text.length > most ? `${start}… and ${text.length - most} more characters` : start
}
