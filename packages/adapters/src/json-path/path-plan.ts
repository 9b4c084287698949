import type { PathRest } from '@heirloom/core'
import { JSONPathQuery, jsonpath } from 'json-p3'
import { pathEnvironment } from './path-environment.ts'

const { selectors, expressions } = jsonpath

type Segment = JSONPathQuery['segments'][number]

/** The plan of the evaluation of a path. */
export type PathPlan = {
  /** The names and indexes at its beginning that select one value at most. */
  readonly prefix: readonly (string | number)[]
  /** The plan of the rest; absent when the path ends there. */
  readonly rest?: RestPlan
}

/** The plan of the part of a path that can select several values. */
export type RestPlan = Pick<PathRest, 'items' | 'needsArray'> & {
  /** The query of the value at the prefix, or of an array of one of its items. */
  readonly whole: JSONPathQuery
  /** The query of one item that a slice or an index has selected already. */
  readonly below?: JSONPathQuery
}

/**
 * Plans the evaluation of a path.
 *
 * @throws errors of the library
 */
export function planPath(path: string): PathPlan {
  const { segments } = pathEnvironment.compile(path)
  // A filter may compare with the value at any other place of the document.
  if (hasRootQuery(segments)) {
    return { prefix: [], rest: { needsArray: false, whole: queryOf(segments) } }
  }
  const prefix: (string | number)[] = []
  for (const [at, segment] of segments.entries()) {
    const token = singularToken(segment)
    if (token === undefined) return { prefix, rest: planRest(segments.slice(at)) }
    prefix.push(token)
  }
  return { prefix }
}

function queryOf(segments: readonly Segment[]): JSONPathQuery {
  return new JSONPathQuery(pathEnvironment, [...segments])
}

function onlySelector(segment: Segment) {
  // A segment that descends has a class of its own, which the library does not export.
  const isChild = !segment.toString().startsWith('..')
  return isChild && segment.selectors.length === 1 ? segment.selectors[0] : undefined
}

function singularToken(segment: Segment): string | number | undefined {
  const selector = onlySelector(segment)
  if (selector instanceof selectors.NameSelector) return selector.name
  return selector instanceof selectors.IndexSelector && selector.index >= 0
    ? selector.index
    : undefined
}

function planRest(segments: readonly Segment[]): RestPlan {
  const selector = onlySelector(segments[0] as Segment)
  const whole = queryOf(segments)
  const below = queryOf(segments.slice(1))
  if (selector instanceof selectors.SliceSelector) {
    const { start, stop: end, step = 1 } = selector
    return { items: { start, end, step }, needsArray: true, whole, below }
  }
  if (selector instanceof selectors.IndexSelector) {
    const { index: start } = selector
    const end = start === -1 ? undefined : start + 1
    return { items: { start, end, step: 1 }, needsArray: true, whole, below }
  }
  const isEach =
    selector instanceof selectors.WildcardSelector || selector instanceof selectors.FilterSelector
  return { items: isEach ? { step: 1 } : undefined, needsArray: false, whole }
}

/** Returns whether a part of a parsed path has a query that begins at the root again. */
function hasRootQuery(part: unknown): boolean {
  if (part instanceof expressions.RootQuery) return true
  if (typeof part !== 'object' || part === null) return false
  return Object.entries(part).some(
    ([name, value]) => name !== 'environment' && name !== 'token' && hasRootQuery(value),
  )
}
