import { pathEnvironment } from '../../../../adapters/src/json-path/path-environment.ts'
import { serve } from '../workers/worker-calls.ts'
import { mostMatches } from './search-nodes.ts'
import type { Step } from './tree-nodes.ts'

type Query = { readonly text: string; readonly path: string }

/** The places that a path selects, and whether some were left out. */
export type Selected = {
  readonly places: readonly (readonly Step[])[]
  readonly hasMore: boolean
}

const handlers = {
  select: ({ text, path }: Query): Selected => {
    const query = compile(path)
    const places: Step[][] = []
    for (const { location } of query.lazyQuery(JSON.parse(text))) {
      if (places.length === mostMatches) return { places, hasMore: true }
      places.push([...location])
    }
    return { places, hasMore: false }
  },
}

/** Parses a path; the message of what it cannot read says where. */
function compile(path: string) {
  try {
    return pathEnvironment.compile(path)
  } catch (error) {
    throw new Error(`This is no JSONPath: ${error instanceof Error ? error.message : error}.`)
  }
}

/** The functions of the worker that evaluates JSONPath. */
export type PathHandlers = typeof handlers

serve(handlers)
