/**
 * A text as it reads once its escapes (RFC 8259 §7) are undone. JSON inside a string of JSON is
 * escaped twice, so views are made of views until nothing is escaped any more.
 */
export type View = {
  readonly text: string
  readonly parent: View | undefined
  /** Where each escape begins and ends in the parent, and where its character is in the text. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly places: readonly number[]
}

/** How many times a text may be escaped; nobody nests deeper but to hide. */
const most = 12

/** Returns a text and its views, the outermost first. */
export function viewsOf(text: string, times = most): readonly View[] {
  const views: View[] = [{ text, parent: undefined, starts: [], ends: [], places: [] }]
  for (let last = views[0]; last !== undefined && views.length <= times; ) {
    last = unescaped(last)
    if (last !== undefined) views.push(last)
  }
  return views
}

const spelled = /\\(?:u[0-9a-f]{4}|["\\/bfnrt])/gi
const short: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function unescaped(parent: View): View | undefined {
  const { text } = parent
  if (!text.includes('\\')) return undefined
  const [starts, ends, places] = [[] as number[], [] as number[], [] as number[]]
  const parts: string[] = []
  let [at, length] = [0, 0]
  for (const { 0: found, index } of text.matchAll(spelled)) {
    parts.push(text.slice(at, index), meaning(found))
    length += index - at
    starts.push(index)
    places.push(length)
    length += 1
    at = index + found.length
    ends.push(at)
  }
  if (starts.length === 0) return undefined
  parts.push(text.slice(at))
  return { text: parts.join(''), parent, starts, ends, places }
}

function meaning(found: string): string {
  if (found.length > 2) return String.fromCharCode(Number.parseInt(found.slice(2), 16))
  const letter = found.charAt(1)
  return short[letter] ?? letter
}

/** Returns where in the outermost text a place between two characters of a view is. */
export function outermost(view: View, place: number): number {
  if (view.parent === undefined) return place
  return outermost(view.parent, inParent(view, place))
}

function inParent({ ends, places }: View, place: number): number {
  const before = countBelow(places, place)
  if (before === 0) return place
  return (ends[before - 1] ?? 0) + place - (places[before - 1] ?? 0) - 1
}

function inView({ starts, ends, places }: View, place: number): number {
  const before = countBelow(starts, place)
  if (before === 0) return place
  return (places[before - 1] ?? 0) + 1 + place - (ends[before - 1] ?? 0)
}

/**
 * Returns a stretch of a view, widened so that it cuts no escape in two, in this view or in those
 * made of it: what is put in its place leaves JSON JSON, however deep.
 */
export function widened(
  views: readonly View[],
  level: number,
  [start, end]: readonly [number, number],
): readonly [number, number] {
  const view = views[level + 1]
  if (view === undefined) return [start, end]
  const from = escapeAround(view, start)
  const to = escapeAround(view, end)
  const inner = widened(views, level + 1, [
    inView(view, from === undefined ? start : (view.starts[from] ?? start)),
    inView(view, to === undefined ? end : (view.ends[to] ?? end)),
  ])
  return [inParent(view, inner[0]), inParent(view, inner[1])]
}

/** Returns which escape a place is in the middle of. */
function escapeAround({ starts, ends }: View, place: number): number | undefined {
  const last = countBelow(starts, place) - 1
  return last >= 0 && place < (ends[last] ?? 0) ? last : undefined
}

/** How many of some rising numbers are below a number. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}
