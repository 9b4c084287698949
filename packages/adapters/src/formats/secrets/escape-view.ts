/**
 * A text with its JSON escapes (RFC 8259 §7) decoded, and the map back to the escaped text. JSON
 * inside a string of JSON is escaped twice, so a view may be the parent of another view.
 */
export type EscapeView = {
  readonly text: string
  readonly parent: EscapeView | undefined
  /** The start and end of each escape in the parent, and the position of its character in `text`. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly positions: readonly number[]
}

/** The most levels of escapes that are decoded. */
const mostLevels = 12

/** Returns a view of the text itself, then one view for each level of escapes. */
export function escapeViews(text: string, levels = mostLevels): readonly EscapeView[] {
  const views: EscapeView[] = [{ text, parent: undefined, starts: [], ends: [], positions: [] }]
  for (let last = views[0]; last !== undefined && views.length <= levels; ) {
    last = decodeEscapes(last)
    if (last !== undefined) views.push(last)
  }
  return views
}

const escapes = /\\(?:u[0-9a-f]{4}|["\\/bfnrt])/gi
const controlCharacters: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

function decodeEscapes(parent: EscapeView): EscapeView | undefined {
  const { text } = parent
  if (!text.includes('\\')) return undefined
  const [starts, ends, positions] = [[] as number[], [] as number[], [] as number[]]
  const parts: string[] = []
  let [at, length] = [0, 0]
  for (const { 0: found, index } of text.matchAll(escapes)) {
    parts.push(text.slice(at, index), decodeEscape(found))
    length += index - at
    starts.push(index)
    positions.push(length)
    length += 1
    at = index + found.length
    ends.push(at)
  }
  if (starts.length === 0) return undefined
  parts.push(text.slice(at))
  return { text: parts.join(''), parent, starts, ends, positions }
}

function decodeEscape(found: string): string {
  if (found.length > 2) return String.fromCharCode(Number.parseInt(found.slice(2), 16))
  const letter = found.charAt(1)
  return controlCharacters[letter] ?? letter
}

/** Converts a position in a view to a position in the outermost text. */
export function toOutermost(view: EscapeView, position: number): number {
  if (view.parent === undefined) return position
  return toOutermost(view.parent, inParent(view, position))
}

function inParent({ ends, positions }: EscapeView, position: number): number {
  const before = countBelow(positions, position)
  if (before === 0) return position
  return (ends[before - 1] ?? 0) + position - (positions[before - 1] ?? 0) - 1
}

function inView({ starts, ends, positions }: EscapeView, position: number): number {
  const before = countBelow(starts, position)
  if (before === 0) return position
  return (positions[before - 1] ?? 0) + 1 + position - (ends[before - 1] ?? 0)
}

/**
 * Widens a stretch of a view so that it splits no escape, in this view or in deeper ones. Replacing
 * such a stretch keeps valid JSON valid at every level.
 */
export function widenToEscapes(
  views: readonly EscapeView[],
  level: number,
  [start, end]: readonly [number, number],
): readonly [number, number] {
  const view = views[level + 1]
  if (view === undefined) return [start, end]
  const from = escapeAround(view, start)
  const to = escapeAround(view, end)
  const inner = widenToEscapes(views, level + 1, [
    inView(view, from === undefined ? start : (view.starts[from] ?? start)),
    inView(view, to === undefined ? end : (view.ends[to] ?? end)),
  ])
  return [inParent(view, inner[0]), inParent(view, inner[1])]
}

/** Returns the index of the escape that a position is inside of. */
function escapeAround({ starts, ends }: EscapeView, position: number): number | undefined {
  const last = countBelow(starts, position) - 1
  return last >= 0 && position < (ends[last] ?? 0) ? last : undefined
}

/** Counts the numbers below a limit in a sorted list, by binary search. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}
