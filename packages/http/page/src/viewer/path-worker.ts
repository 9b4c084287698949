import type { answerQuestion } from '@heirloom/core'
import { serve } from '../worker-calls.ts'
import { compilePath } from './compile-path.ts'
import { mostMatches, type Step } from './tree-nodes.ts'

type Query = { readonly text: string; readonly path: string }

type Question = { readonly document: Blob; readonly question: string }

/** The answers to a question, the best first, and its words that no item has. */
export type Answered = ReturnType<typeof answerQuestion>

/** The places that a path selects, and whether some were left out. */
export type Selected = { readonly places: readonly (readonly Step[])[]; readonly hasMore: boolean }

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
  /** Returns what answers a question best in a document. */
  ask: async ({ document, question }: Question): Promise<Answered> => {
    const { askText } = await import('./ask-nodes.ts')
    return askText(await document.text(), question)
  },
}

/** The functions of the worker that evaluates JSONPath and questions. */
export type PathHandlers = typeof handlers

serve(handlers)
