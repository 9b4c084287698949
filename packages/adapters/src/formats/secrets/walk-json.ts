/** The path to a value: names of members and indices of lists. */
export type JsonPath = readonly (string | number)[]

/** The position of a name, string or literal in a JSON text, without quotes. */
export type JsonScalar = {
  readonly kind: 'name' | 'string' | 'literal'
  readonly start: number
  readonly end: number
}

/** Callbacks of a walk. The path is reused, so it is valid only during the call. */
export type JsonVisitor = {
  readonly scalar?: (scalar: JsonScalar, path: JsonPath) => void
  readonly comma?: (at: number, path: JsonPath) => void
}

type Walk = {
  readonly text: string
  readonly visitor: JsonVisitor
  readonly path: (string | number)[]
  expectsName: boolean
}

/**
 * Visits every scalar and comma of a valid JSON text in order, duplicate members included.
 */
export function walkJson(text: string, visitor: JsonVisitor): void {
  const walk: Walk = { text, visitor, path: [], expectsName: false }
  let at = 0
  while (at < text.length) at = step(walk, at)
}

function step(walk: Walk, at: number): number {
  const character = walk.text.charAt(at)
  if (character === '"') return visitString(walk, at + 1)
  const visit = punctuation[character]
  if (visit === undefined) return visitLiteral(walk, at)
  visit(walk, at)
  return at + 1
}

const skip = () => undefined

const close = (walk: Walk) => {
  walk.path.pop()
  walk.expectsName = false
}

const punctuation: Readonly<Record<string, (walk: Walk, at: number) => void>> = {
  ' ': skip,
  '\t': skip,
  '\r': skip,
  '\n': skip,
  ':': skip,
  '{': (walk) => {
    walk.path.push('')
    walk.expectsName = true
  },
  '[': (walk) => {
    walk.path.push(0)
    walk.expectsName = false
  },
  '}': close,
  ']': close,
  ',': (walk, at) => {
    walk.visitor.comma?.(at, walk.path)
    const last = walk.path.length - 1
    const position = walk.path[last]
    walk.expectsName = typeof position === 'string'
    if (typeof position === 'number') walk.path[last] = position + 1
  },
}

function visitString(walk: Walk, start: number): number {
  const end = endOfString(walk.text, start)
  if (walk.expectsName) {
    walk.path[walk.path.length - 1] = stringOf(walk.text, start, end)
    walk.expectsName = false
    walk.visitor.scalar?.({ kind: 'name', start, end }, walk.path)
  } else {
    walk.visitor.scalar?.({ kind: 'string', start, end }, walk.path)
  }
  return end + 1
}

const literalEnd = /[\s,\]}]|$/g

function visitLiteral(walk: Walk, start: number): number {
  literalEnd.lastIndex = start
  const end = literalEnd.exec(walk.text)?.index ?? walk.text.length
  walk.visitor.scalar?.({ kind: 'literal', start, end }, walk.path)
  return end
}

/** Returns the index of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start)
  while (isEscaped(text, start, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, start: number, quote: number): boolean {
  let first = quote
  while (first > start && text.charAt(first - 1) === '\\') first -= 1
  return (quote - first) % 2 === 1
}

/** Decodes a string of a JSON text, given the start and end of its content. */
export function stringOf(text: string, start: number, end: number): string {
  const content = text.slice(start, end)
  return content.includes('\\') ? (JSON.parse(`"${content}"`) as string) : content
}
