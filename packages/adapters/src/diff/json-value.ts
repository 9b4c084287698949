/** The deepest nesting that is read; a sealed document is never deeper. */
const maxDepth = 1001

/** Reports a JSON text that is nested too deeply. */
class TooDeep extends RangeError {
  override readonly name = 'TooDeep'
  readonly limit = maxDepth
  constructor() {
    super(`The JSON text nests deeper than ${maxDepth} levels; use fewer.`)
  }
}

/**
 * The values and the member names of a JSON text in the order of the text, each as a node with its
 * place in the text. The node after the whole of a node is `nexts[node]`.
 */
export type Tape = {
  readonly text: string
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly nexts: readonly number[]
}

type Growing = { readonly [part in 'starts' | 'ends' | 'nexts']: number[] }

/**
 * Reads a JSON text without changing any of it: numbers, escapes, the order of members and
 * duplicate members stay as they are.
 *
 * @throws {SyntaxError} when the text is not JSON; {TooDeep} when it is nested too deeply
 */
export function readTape(text: string): Tape {
  JSON.parse(text)
  const grown: Growing = { starts: [], ends: [], nexts: [] }
  const open: number[] = []
  for (let at = 0; at < text.length; ) at = readPart(grown, open, text, at)
  return { text, ...grown }
}

/** Reads a bracket, a scalar or what is between them, and returns the place after it. */
function readPart(grown: Growing, open: number[], text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code <= space || code === comma || code === colon) return at + 1
  if (code === braceOpen || code === bracketOpen) return enter(grown, open, at)
  if (code === braceClose || code === bracketClose) return leave(grown, open, at)
  return readScalar(grown, text, at)
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const space = 0x20
const bracketOpen = 0x5b
const backslash = 0x5c
const bracketClose = 0x5d
const braceOpen = 0x7b
const braceClose = 0x7d

function enter({ starts, ends, nexts }: Growing, open: number[], at: number): number {
  if (open.length >= maxDepth) throw new TooDeep()
  open.push(starts.length)
  starts.push(at)
  ends.push(0)
  nexts.push(0)
  return at + 1
}

function leave({ starts, ends, nexts }: Growing, open: number[], at: number): number {
  const node = open.pop() as number
  ends[node] = at + 1
  nexts[node] = starts.length
  return at + 1
}

function readScalar({ starts, ends, nexts }: Growing, text: string, at: number): number {
  const end = text.charCodeAt(at) === quote ? afterString(text, at) : afterWord(text, at)
  starts.push(at)
  ends.push(end)
  nexts.push(starts.length)
  return end
}

function afterString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at + 1
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === backslash) first--
  return (at - first) % 2 === 1
}

/** Returns the place after a number or a literal. */
function afterWord(text: string, start: number): number {
  let at = start
  while (at < text.length && isInWord(text.charCodeAt(at))) at++
  return at
}

const isInWord = (code: number) =>
  code > space && code !== comma && code !== bracketClose && code !== braceClose

/** A value inside a JSON text. */
export type Value = { readonly tape: Tape; readonly node: number }

/** A member of an object: its name, the exact text of the name, and its value. */
export type Member = { readonly name: string; readonly nameText: string; readonly value: Value }

/** The members of an object by name, in their order. */
export type Members = ReadonlyMap<string, Member>

/** Reads a JSON text as a value. @throws {SyntaxError} {TooDeep} */
export const readValue = (text: string): Value => ({ tape: readTape(text), node: 0 })

/** Returns the exact text of a value. */
export const textOf = ({ tape, node }: Value): string =>
  tape.text.slice(tape.starts[node], tape.ends[node])

/** The kind of a value; `word` is a number or a literal. */
export type Kind = 'object' | 'array' | 'string' | 'word'

const kinds: Readonly<Record<string, Kind>> = { '{': 'object', '[': 'array', '"': 'string' }

/** Returns the kind of a value. */
export const kindOf = ({ tape, node }: Value): Kind =>
  kinds[tape.text[tape.starts[node] ?? 0] ?? ''] ?? 'word'

/** Returns the string that a string value stands for; its lone surrogates stay. */
export function stringOf(value: Value): string {
  const text = textOf(value)
  return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1)
}

/** Returns the items of an array. */
export const itemsOf = ({ tape, node }: Value): readonly Value[] =>
  childrenOf(tape, node).map((child) => ({ tape, node: child }))

/** Returns the nodes directly inside a node: items, or names and values by turns. */
export function childrenOf({ nexts }: Tape, node: number): readonly number[] {
  const children: number[] = []
  const end = nexts[node] as number
  for (let child = node + 1; child < end; child = nexts[child] as number) children.push(child)
  return children
}

/** Returns the members of an object; `undefined` when a name is there twice. */
export function membersOf({ tape, node }: Value): Members | undefined {
  const members = new Map<string, Member>()
  const children = childrenOf(tape, node)
  for (let at = 0; at < children.length; at += 2) {
    const nameAt = { tape, node: children[at] as number }
    const name = stringOf(nameAt)
    if (members.has(name)) return undefined
    const value = { tape, node: children[at + 1] as number }
    members.set(name, { name, nameText: textOf(nameAt), value })
  }
  return members
}

/** Returns whether two values are written with the same characters. */
export function isSameText(one: Value, other: Value): boolean {
  return lengthOf(one) === lengthOf(other) && textOf(one) === textOf(other)
}

const lengthOf = ({ tape, node }: Value) => (tape.ends[node] ?? 0) - (tape.starts[node] ?? 0)

/** Returns a JSON pointer (RFC 6901) with one more step. */
export const pointerTo = (path: string, step: string | number): string =>
  typeof step === 'number'
    ? `${path}/${step}`
    : `${path}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`

/**
 * Returns the number of a value. Two values have the same number exactly when they are equal: strings
 * by their characters, however those are escaped; numbers by their spelling; objects with the order of
 * their members and with duplicates.
 */
export type NumberOf = (value: Value) => number

/** Returns a function that gives equal values equal numbers. */
export function numberValues(): NumberOf {
  const numbers = new Map<string, number>()
  const known = new Map<Tape, Int32Array>()
  const numberFor = (key: string): number => {
    const number = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, number)
    return number
  }
  return ({ tape, node }) => {
    const found = tableOf(known, tape)
    if (found[node] !== 0) return found[node] as number
    // From the end, so that what is inside of a value has its number before the value.
    for (let at = (tape.nexts[node] as number) - 1; at >= node; at--) {
      if (found[at] === 0) found[at] = numberFor(keyOf({ tape, node: at }, found))
    }
    return found[node] as number
  }
}

function tableOf(known: Map<Tape, Int32Array>, tape: Tape): Int32Array {
  const found = known.get(tape) ?? new Int32Array(tape.starts.length)
  known.set(tape, found)
  return found
}

/** Returns a text that equal values share, in which those inside stand as their numbers. */
function keyOf(value: Value, found: Int32Array): string {
  const kind = kindOf(value)
  if (kind === 'string') return `"${stringOf(value)}`
  // A text of digits alone would be hashed by its value, so that many could be made to collide.
  if (kind === 'word') return `#${textOf(value)}`
  const { tape, node } = value
  const inside = childrenOf(tape, node).map((child) => found[child])
  return `${kind === 'array' ? '[' : '{'}${inside.join()}`
}
