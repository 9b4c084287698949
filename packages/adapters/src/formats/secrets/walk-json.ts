/** Where a value stands: names of members, and indices of lists. */
export type JsonPath = readonly (string | number)[]

/** A string or a literal of a JSON text; the quotes around a string are not part of it. */
export type JsonScalar = {
  readonly kind: 'name' | 'string' | 'literal'
  readonly start: number
  readonly end: number
}

/** What is told of a JSON text; a path is only good until the call returns. */
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
 * Visits a text that is known to be JSON, from its beginning to its end, members that are given
 * twice among them.
 */
export function walkJson(text: string, visitor: JsonVisitor): void {
  const walk: Walk = { text, visitor, path: [], expectsName: false }
  let at = 0
  while (at < text.length) at = step(walk, at)
}

function step(walk: Walk, at: number): number {
  const character = walk.text.charAt(at)
  if (character === '"') return string(walk, at + 1)
  const punctuated = punctuation[character]
  if (punctuated === undefined) return literal(walk, at)
  punctuated(walk, at)
  return at + 1
}

const nothing = () => undefined

const close = (walk: Walk) => {
  walk.path.pop()
  walk.expectsName = false
}

const punctuation: Readonly<Record<string, (walk: Walk, at: number) => void>> = {
  ' ': nothing,
  '\t': nothing,
  '\r': nothing,
  '\n': nothing,
  ':': nothing,
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
    const place = walk.path[last]
    walk.expectsName = typeof place === 'string'
    if (typeof place === 'number') walk.path[last] = place + 1
  },
}

function string(walk: Walk, start: number): number {
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

function literal(walk: Walk, start: number): number {
  literalEnd.lastIndex = start
  const end = literalEnd.exec(walk.text)?.index ?? walk.text.length
  walk.visitor.scalar?.({ kind: 'literal', start, end }, walk.path)
  return end
}

/** Returns where the quote is that ends a string. */
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

/** Returns the value of a string of a JSON text, given where its content begins and ends. */
export function stringOf(text: string, start: number, end: number): string {
  const content = text.slice(start, end)
  return content.includes('\\') ? (JSON.parse(`"${content}"`) as string) : content
}
