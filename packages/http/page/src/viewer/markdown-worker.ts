import { serve } from '../worker-calls.ts'
import { parseMarkdown } from './parse-markdown.ts'

type Texts = { readonly texts: readonly string[]; readonly levelAbove?: number | undefined }

const handlers = {
  parse: ({ texts, levelAbove }: Texts) => texts.map((it) => parseMarkdown(it, levelAbove)),
}

/** The functions of the worker that parses Markdown. */
export type MarkdownHandlers = typeof handlers

serve(handlers)
