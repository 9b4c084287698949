import type { FormatName, ImportedCount } from '@heirloom/adapters/formats'

type Description = {
  /** The name for people. */
  readonly name: string
  /** Absent in the plural, and for JSON. */
  readonly article?: 'a' | 'an'
  /** The tag that is suggested for a memory. */
  readonly tag?: string
}

const formats: Readonly<Record<FormatName, Description>> = {
  json: { name: 'JSON' },
  'mcp-memory': { article: 'an', name: 'MCP memory graph', tag: 'mcp' },
  'letta-af': { article: 'a', name: 'Letta agent file', tag: 'letta' },
  mem0: { article: 'a', name: 'Mem0 export', tag: 'mem0' },
  'langgraph-store': { article: 'a', name: 'LangGraph store', tag: 'langgraph' },
  'langgraph-checkpoints': { name: 'LangGraph checkpoints', tag: 'langgraph' },
  chatgpt: { article: 'a', name: 'ChatGPT export', tag: 'chatgpt' },
  claude: { article: 'a', name: 'Claude export', tag: 'claude' },
  eliza: { article: 'an', name: 'ElizaOS character', tag: 'eliza' },
  graphiti: { article: 'a', name: 'Graphiti or Zep graph', tag: 'graphiti' },
  cognee: { article: 'a', name: 'Cognee graph', tag: 'cognee' },
  cogx: { article: 'a', name: 'Cognee archive (COGX)', tag: 'cognee' },
  'llama-index': { article: 'a', name: 'LlamaIndex folder', tag: 'llamaindex' },
  markdown: { name: 'Markdown or text files', tag: 'markdown' },
}

/** Returns the name of a format for people. */
export const describeFormat = (format: FormatName): string => formats[format].name

/** Returns the name for people of the format that a text names; undefined where it names none. */
export const findFormatName = (text: string): string | undefined =>
  Object.hasOwn(formats, text) ? describeFormat(text as FormatName) : undefined

/** Returns the tag of a format; undefined for one that says nothing of its content. */
export const tagOf = (format: FormatName): string | undefined => formats[format].tag

/** Files of a format, and the counts of their parts. */
export type Content = { readonly format: FormatName; readonly taken: readonly ImportedCount[] }

const isOneText = ({ format, taken }: Content) => format === 'markdown' && taken[0]?.count === 1

/** Describes the format of files and the counts of their parts, as a sentence after an article. */
export function describeContent(content: Content): string {
  const { article } = formats[content.format]
  const text = isOneText(content) ? 'text' : titleContent(content)
  return article === undefined ? text : `${article} ${text}`
}

/** Describes the format of files and the counts of their parts, with a capital letter. */
export function titleContent(content: Content): string {
  if (isOneText(content)) return 'Text'
  const counts = content.taken.filter(({ count }) => count > 0).map(describeCount)
  const name = describeFormat(content.format)
  return counts.length === 0 ? name : `${name}: ${counts.join(', ')}`
}

/** The words for kinds of things that only JSON calls so. */
const plainWords: ReadonlyMap<string, string> = new Map([
  ['members', 'named values'],
  ['members of data', 'named values'],
  ['unknown members', 'unknown named values'],
])

/** Describes how many things of a kind there are. */
export function describeCount({ what, count }: ImportedCount): string {
  const words = plainWords.get(what) ?? what
  return `${count.toLocaleString('en')} ${count === 1 ? toSingular(words) : words}`
}

/** Returns the singular of a noun and the words that belong to it. */
function toSingular(what: string): string {
  const [noun = '', ...rest] = what.split(/ (?=(?:of|with|that) )/)
  const singular = noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.replace(/s$/, '')
  return [singular, ...rest].join(' ')
}
