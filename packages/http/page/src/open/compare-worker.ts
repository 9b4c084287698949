import { diffTexts } from '@heirloom/adapters/internal/diff/diff-documents'
import { serve } from '../worker-calls.ts'

/** Decodes as the server stores it; `text()` would drop a byte order mark. */
const decode = async (document: Blob): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await document.arrayBuffer())

const handlers = {
  diff: async ({ before, after }: { readonly before: Blob; readonly after: Blob }) =>
    diffTexts(await decode(before), await decode(after)),
}

/** The functions of the worker that compares documents. */
export type CompareHandlers = typeof handlers

serve(handlers)
