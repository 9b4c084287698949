/** A string of a JSON text: where its quotes are, and whether it is the name of a member. */
export type StringPlace = {
  readonly at: number
  readonly end: number
  readonly isName: boolean
}

/** An object or a list that is being read. */
export type Frame = {
  /** The names so far, to see one that stands twice; absent in a list. */
  readonly names: Set<string> | undefined
  /** The index or the name of the value that is being read. */
  key: number | string
}

/** A string with its decoded text, or the end of an object or a list. */
export type WalkEvent =
  | {
      readonly is: 'string'
      readonly place: StringPlace
      readonly text: string
      /** Whether it is a name that the object has already. */
      readonly isAgain: boolean
    }
  | { readonly is: 'close' }

type Walk = {
  readonly text: string
  /** The frames around the value that is being read, the outermost first. */
  readonly frames: Frame[]
  expectsName: boolean
  at: number
}

/** A walk over the strings of a JSON text. */
export type StringWalk = {
  readonly events: Generator<WalkEvent>
  /** The frames around the last event; they change with the next. */
  readonly frames: readonly Frame[]
}

/**
 * Walks over every string and name of a valid JSON text in order, duplicate members included. With
 * `lines`, every line is a value of one list.
 */
export function walkStrings(text: string, { lines = false } = {}): StringWalk {
  const frames: Frame[] = lines ? [{ names: undefined, key: 0 }] : []
  const walk: Walk = { text, frames, expectsName: false, at: 0 }
  return { events: walkEvents(walk, lines), frames }
}

function* walkEvents(walk: Walk, lines: boolean): Generator<WalkEvent> {
  while (walk.at < walk.text.length) {
    const code = walk.text.charCodeAt(walk.at)
    if (code === quote) yield readString(walk)
    else if (code === braceClose || code === bracketClose) yield* leave(walk)
    else step(walk, code, lines)
  }
}

const [newline, quote, comma] = [10, 34, 44]
const [bracketOpen, bracketClose, braceOpen, braceClose] = [91, 93, 123, 125]

function step(walk: Walk, code: number, lines: boolean): void {
  walk.at += 1
  if (code === braceOpen || code === bracketOpen) enter(walk, code === bracketOpen)
  else if (code === comma || (lines && code === newline && walk.frames.length === 1)) next(walk)
}

function enter(walk: Walk, isList: boolean): void {
  walk.frames.push(isList ? { names: undefined, key: 0 } : { names: new Set(), key: '' })
  walk.expectsName = !isList
}

function* leave(walk: Walk): Generator<WalkEvent> {
  walk.at += 1
  yield { is: 'close' }
  walk.frames.pop()
  walk.expectsName = false
}

function next(walk: Walk): void {
  const frame = walk.frames.at(-1)
  if (typeof frame?.key === 'number') frame.key += 1
  else walk.expectsName = true
}

function readString(walk: Walk): WalkEvent {
  const { text, frames, at, expectsName: isName } = walk
  const end = endOfString(text, at)
  const decoded = decodeLiteral(text.slice(at, end))
  walk.at = end
  walk.expectsName = false
  const isAgain = isName && enterMember(frames.at(-1), decoded)
  return { is: 'string', place: { at, end, isName }, text: decoded, isAgain }
}

function enterMember(frame: Frame | undefined, name: string): boolean {
  if (frame?.names === undefined) return false
  frame.key = name
  if (frame.names.has(name)) return true
  frame.names.add(name)
  return false
}

const decodeLiteral = (literal: string): string =>
  literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1)

/** Returns the position after a string that starts at a quote; the length of a text that does not end it. */
export function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at < 0 ? text.length : at + 1
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === 92) first--
  return (at - first) % 2 === 1
}

/** The longest pointer of a place, in UTF-16 code units: names can be as long as a memory. */
const longestPointer = 2048

/**
 * Returns the JSON Pointer (RFC 6901) of the value that a walk is at; of the nearest value around it
 * whose pointer is short enough where its own is not.
 */
export function pointerOf(frames: readonly Frame[]): string {
  let pointer = ''
  for (const { key } of frames) {
    const name = `${key}`
    // An escape makes a name longer, so one that is too long as it is need not be copied.
    if (pointer.length + name.length >= longestPointer) return pointer
    const longer = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (longer.length > longestPointer) return pointer
    pointer = longer
  }
  return pointer
}

/** A string of JSON in a string, and where its literal stands in the outermost one. */
type JsonString = {
  readonly start: number
  readonly end: number
  readonly text: string
  /** The levels of JSON around it. */
  readonly depth: number
}

/** The longest text that is read as JSON, in UTF-16 code units. */
const longest = 2 ** 22

/** The most levels of JSON in strings of JSON. */
const deepest = 4

/**
 * Finds the strings of JSON in a string that have escapes: without any, the text around them shows
 * what they say.
 */
export function findJsonStrings(text: string, depth = 1): readonly JsonString[] {
  if (!text.includes('\\') || text.length > longest || !isJson(text)) return []
  return escapedStrings(text).flatMap((it) => {
    const deeper = depth === deepest ? [] : findJsonStrings(it.text, depth + 1)
    return [
      { ...it, depth },
      ...deeper.map((inner) => ({ ...inner, start: it.start, end: it.end })),
    ]
  })
}

function escapedStrings(text: string): readonly Omit<JsonString, 'depth'>[] {
  const found: Omit<JsonString, 'depth'>[] = []
  for (const event of walkStrings(text).events) {
    if (event.is === 'close') continue
    const { at: start, end } = event.place
    if (text.slice(start, end).includes('\\')) found.push({ start, end, text: event.text })
  }
  return found
}

/** Returns whether a text is an object, a list or a string of JSON, and nests no deeper than memories may. */
export function isJson(text: string): boolean {
  if (!startsAsJson(text) || nestsTooDeep(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const startsAsJson = (text: string) => /^\s{0,100}[{["]/.test(text)

/** The most levels of objects and lists in a memory; the core, which says so, is not part of the client. */
export const mostNested = 1000

/**
 * Returns whether a text that starts as JSON nests deeper than memories may. Reading such a text
 * takes more than a hundred times its length.
 */
export function nestsTooDeep(text: string): boolean {
  if (!startsAsJson(text)) return false
  let depth = 0
  for (let at = 0; at < text.length && depth <= mostNested; at++) {
    if (text[at] === '"') at = endOfString(text, at) - 1
    else depth += levels[text[at] as string] ?? 0
  }
  return depth > mostNested
}

const levels: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 }
