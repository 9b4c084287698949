/** The most levels of a memory, as servers bound them. */
const deepest = 1000

/** The objects above a value, and the names that lead to it. */
type Place = { readonly above: Set<object>; readonly names: string[] }

/**
 * Returns what in a value JSON would leave out, change or refuse, with its JSON Pointer, such as
 * `/data/score is a bigint`; `undefined` where there is nothing. JSON has no -0, which is 0 there.
 */
export function findUnencodable(value: unknown): string | undefined {
  const place: Place = { above: new Set(), names: [] }
  const problem = problemOf(value, place)
  return problem && `${place.names.map((name) => `/${escaped(name)}`).join('')} ${problem}`
}

/** Returns the problem of a value; its place then leads to where that is. */
function problemOf(value: unknown, place: Place): string | undefined {
  if (typeof value !== 'object') return problemOfPrimitive(value)
  return value === null ? undefined : problemOfObject(value, place)
}

function problemOfObject(value: object, place: Place): string | undefined {
  if (place.above.size > deepest) return 'is nested too deep'
  const kind = kindOf(value)
  if (kind === 'Date' || ArrayBuffer.isView(value)) return `is a ${kind}`
  // Another object with `toJSON` chooses its own form.
  const chosen = chosenForm(value)
  if (chosen !== undefined) return problemOf(chosen(), place)
  if (kind !== 'Object' && kind !== 'Array') return `is a ${kind}`
  return place.above.has(value) ? 'contains itself' : problemOfMembers(value, place)
}

function chosenForm(value: object): (() => unknown) | undefined {
  if (!('toJSON' in value) || typeof value.toJSON !== 'function') return undefined
  return value.toJSON.bind(value)
}

function problemOfMembers(value: object, { above, names }: Place): string | undefined {
  above.add(value)
  // The items of a list that it leaves empty are members, too.
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const member = (value as Record<string | number, unknown>)[name]
    // A member that is undefined reads the same when it is left out; in a list it would become null.
    if (member === undefined && !Array.isArray(value)) continue
    names.push(`${name}`)
    const problem = problemOf(member, { above, names })
    if (problem !== undefined) return problem
    names.pop()
  }
  above.delete(value)
  return undefined
}

const kindOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1)

function problemOfPrimitive(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `is ${value}`
  if (typeof value === 'string' || typeof value === 'boolean') return undefined
  return value === undefined ? 'is undefined' : `is a ${typeof value}`
}

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a]

/** Describes by how much each byte outside of strings changes the depth. */
const steps = new Int8Array(256)
for (const open of ['{', '[']) steps[open.charCodeAt(0)] = 1
for (const close of ['}', ']']) steps[close.charCodeAt(0)] = -1

/** The members of a memory. */
const known: readonly string[] = ['data', 'metadata']

type Walk = { readonly text: Uint8Array; at: number; depth: number }

/**
 * Returns the name of the first member of a JSON object that a memory does not have; `undefined` for
 * none, and for a text that is no JSON.
 */
export function otherMember(text: Uint8Array): string | undefined {
  const walk: Walk = { text, at: 0, depth: 0 }
  while (walk.at < text.length) {
    const name = nextName(walk)
    if (name !== undefined && !known.includes(name)) return name
  }
  return undefined
}

/** Goes on by a byte or a string; returns that if it is the name of a member of the whole. */
function nextName(walk: Walk): string | undefined {
  const { text, at, depth } = walk
  const byte = text[at] as number
  if (byte !== quote) {
    walk.depth += steps[byte] as number
    walk.at += 1
    return undefined
  }
  walk.at = endOfString(text, at)
  return depth === 1 && isName(text, walk.at) ? readString(text.subarray(at, walk.at)) : undefined
}

/** Returns the position after a string that begins at a quote. */
function endOfString(text: Uint8Array, start: number): number {
  let end = text.indexOf(quote, start + 1)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf(quote, end + 1)
  return end < 0 ? text.length : end + 1
}

function isEscaped(text: Uint8Array, at: number): boolean {
  let first = at
  while (text[first - 1] === backslash) first -= 1
  return (at - first) % 2 === 1
}

function isName(text: Uint8Array, end: number): boolean {
  let at = end
  while ((text[at] ?? colon) <= 0x20) at += 1
  return text[at] === colon
}

function readString(literal: Uint8Array): string | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(literal)) as string
  } catch {
    return undefined
  }
}
