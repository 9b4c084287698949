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

/** The most values that a query inside a filter selects, and the names and numbers that lead to them. */
const mostHeld = { values: 100_000, steps: 1_000_000 } as const

// The library holds all of them at once. Memory that is short ends the process at times, and not the
// thread alone, where it grows fast.
JSONPathQuery.prototype.query = function (value) {
  const nodes: jsonpath.JSONPathNode[] = []
  let steps = 0
  for (const node of this.lazyQuery(value)) {
    steps += node.location.length
    if (nodes.length === mostHeld.values || steps > mostHeld.steps) throw tooMany()
    nodes.push(node)
  }
  return new JSONPathNodeList(nodes)
}

function tooMany(): Failure {
  const problem = `a filter in it selects more than ${mostHeld.values} values`
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
