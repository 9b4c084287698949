import { serve } from '../worker-calls.ts'
import { compilePath } from './compile-path.ts'
import { mostMatches, type Step } from './tree-nodes.ts'

type Query = { readonly text: string; readonly path: string }

/** The places that a path selects, and whether some were left out. */
export type Selected = {
  readonly places: readonly (readonly Step[])[]
  readonly hasMore: boolean
}

const handlers = {
  select: ({ text, path }: Query): Selected => {
    const query = compilePath(path)
    const places: Step[][] = []
    for (const { location } of query.lazyQuery(JSON.parse(text))) {
      if (places.length === mostMatches) return { places, hasMore: true }
      places.push([...location])
    }
    return { places, hasMore: false }
  },
}

/** The functions of the worker that evaluates JSONPath. */
export type PathHandlers = typeof handlers

serve(handlers)
