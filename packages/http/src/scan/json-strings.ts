import { endOfString, walkStrings } from './walk-strings.ts'

/** A string of JSON in a string, and where its literal stands in the outermost one. */
export type JsonString = {
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
