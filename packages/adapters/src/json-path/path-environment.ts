import { Failure } from '@heirloom/core'
import { JSONPathEnvironment, JSONPathQuery, jsonpath } from 'json-p3'

const { FunctionExpressionType, JSONPathNodeList } = jsonpath

/**
 * The most UTF-16 code units of a regular expression, which may be a value of the document. Nothing
 * can stop the engine while it compiles one, and one of 100,000 would take it half a minute.
 */
const longestPattern = 1_000

// A document may be nested 1,000 levels deep, and the limit of the library is one above.
/** The rules of the library that paths are parsed with: RFC 9535, without extensions. */
export const pathEnvironment = new JSONPathEnvironment({ strict: true, maxRecursionDepth: 1_002 })

const { functionRegister } = pathEnvironment

for (const name of ['match', 'search']) {
  const known = functionRegister.get(name) as jsonpath.FilterFunction
  functionRegister.set(name, {
    argTypes: known.argTypes,
    returnType: known.returnType,
    call: (text, pattern) => {
      if (typeof pattern === 'string' && pattern.length > longestPattern) throw tooLong()
      return known.call(text, pattern)
    },
  })
}

// The library counts UTF-16 code units, and RFC 9535 §2.4.4 characters.
const known = functionRegister.get('length') as jsonpath.FilterFunction
functionRegister.set('length', {
  argTypes: [FunctionExpressionType.ValueType],
  returnType: FunctionExpressionType.ValueType,
  call: (value) => (typeof value === 'string' ? countCharacters(value) : known.call(value)),
})

/** The most values that are held at once, those selected twice included. */
const mostValues = 100_000

/** The most names and numbers that lead to them: of a path, and of a query inside a filter. */
const mostSteps = { path: 2_000_000, filter: 1_000_000 } as const

/**
 * Returns selected nodes, of a path or of a query inside a filter, which are held at once. Where they
 * grow faster than a thread can be stopped, memory that is short ends the whole process.
 *
 * @throws `part/too-costly`
 */
export function holdNodes(
  nodes: Iterable<jsonpath.JSONPathNode>,
  of: keyof typeof mostSteps = 'path',
): jsonpath.JSONPathNode[] {
  const held: jsonpath.JSONPathNode[] = []
  let steps = 0
  for (const node of nodes) {
    steps += node.location.length
    if (held.length === mostValues || steps > mostSteps[of]) throw tooMany(mostSteps[of])
    held.push(node)
  }
  return held
}

// The library would hold what each part of a query inside a filter selects.
JSONPathQuery.prototype.query = function (value) {
  return new JSONPathNodeList(holdNodes(this.lazyQuery(value), 'filter'))
}

function tooMany(steps: number): Failure {
  const problem = `it selects more than ${mostValues} values at once, or more than ${steps} names and numbers lead to them`
  return new Failure('part/too-costly', { problem })
}

function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function tooLong(): Failure {
  const problem = `a regular expression in it is longer than ${longestPattern} characters`
  return new Failure('part/too-costly', { problem })
}
