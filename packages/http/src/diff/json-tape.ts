/** The deepest nesting that is read; a sealed document is never deeper. */
const maxDepth = 1001

/** Reports a JSON text that is nested too deeply. */
export class TooDeep extends RangeError {
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
