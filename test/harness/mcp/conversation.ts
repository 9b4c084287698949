import type { Client } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

/** The tokens that a model reads and writes in a conversation, and the calls it makes. */
export type Cost = { readonly list: number; readonly calls: number; readonly tokens: number }

/** Calls a tool, which must succeed, and returns the JSON of its last text. */
export type Call = (name: string, args: object) => Promise<Result>

/** The result of a tool, whatever its members are. */
export type Result = Readonly<Record<string, unknown>> & {
  readonly next?: number | null
  readonly tokenId?: string
  readonly token?: string
  readonly text?: string
  readonly items?: readonly Result[]
  readonly memories?: readonly Result[]
}

/**
 * Runs a fixed list of calls as an agent would, and counts (o200k) the tools that it is offered, its
 * calls, and the text of their results. A client may add the structured results; they are not counted.
 */
export async function costOf(
  client: Client,
  talk: (call: Call) => Promise<unknown>,
  isOffered: (name: string) => boolean = () => true,
): Promise<Cost> {
  const { tools } = await client.listTools()
  const list = countTokens(JSON.stringify(tools.filter(({ name }) => isOffered(name))))
  let [calls, tokens] = [0, list]
  await talk(async (name, args) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...args } })
    const texts = content as { readonly text: string }[]
    if (isError) throw new Error(`${name}: ${texts[0]?.text}`)
    calls += 1
    tokens += countTokens(JSON.stringify({ name, arguments: args }))
    for (const { text } of texts) tokens += countTokens(text)
    return parse(texts.at(-1)?.text ?? '')
  })
  return { list, calls, tokens }
}

function parse(text: string): Result {
  return text.startsWith('{') ? JSON.parse(text) : { text }
}

const words = 'tide ebb harbour ledger calm signal quiet risk price note storm anchor'.split(' ')

/** Returns notes of some 5 MB as JSON, the same in each run. */
export function manyNotes(): readonly object[] {
  let seed = 17
  const next = (most: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % most
  }
  return Array.from({ length: 18_000 }, (_, id) => ({
    id,
    tag: words[next(words.length)],
    text: Array.from({ length: 40 }, () => words[next(words.length)]).join(' '),
  }))
}

/** The agent with the exact tools, which reads all of its memory before it answers. */
export const byDownload = (data: { readonly notes: readonly object[] }) => async (call: Call) => {
  await call('names_list', {})
  const { tokenId } = await call('names_open', { name: 'ada' })
  for (let offset: number | null | undefined = 0; typeof offset === 'number'; ) {
    offset = (await call('memory_download', { tokenId, offset })).next
  }
  const notes = [...data.notes, { text: 'harbour 17 is closed' }]
  const metadata = { category: 'notes' }
  await call('names_save', { name: 'ada', after: tokenId, data: { notes }, metadata })
  await buy(call)
}

/** The agent with the exact tools, which reads parts; what it remembers it saves to another name. */
export const byExactParts = async (call: Call) => {
  const names = (await call('names_list', {})).items ?? []
  const { tokenId } = (names[0]?.last ?? {}) as Result
  await call('memory_outline', { tokenId })
  await call('memory_select', { tokenId, path: '$.data.notes[-3:]' })
  await call('memory_search_in', { tokenId, text: 'tide tide tide tide' })
  const data = { notes: ['harbour 17 is closed'] }
  await call('names_save', { name: 'ada/new', after: '0', data, metadata: { category: 'notes' } })
  for (const { last } of (await call('names_list', {})).items ?? []) {
    const { tokenId } = last as Result
    await call('memory_search_in', { tokenId, text: 'closed' })
  }
  await buy(call)
}

async function buy(call: Call) {
  const maxPrice = '10000000000000000'
  const found = await call('market_search', { search: 'lighthouse', maxPrice })
  const [{ tokenId } = {}] = found.items ?? []
  await call('market_listing', { tokenId })
  await call('market_buy', { tokenId, maxPrice })
}

/** The agent with the tools for a small context. */
export const bySmallTools = async (call: Call) => {
  await call('memories', {})
  await call('outline', { memory: 'ada' })
  await call('read_part', { memory: 'ada', at: '$.data.notes[-3:]' })
  await call('search_in', { memory: 'ada', text: 'tide tide tide tide' })
  await call('save', { name: 'ada', value: 'harbour 17 is closed' })
  await call('recall', { text: 'closed' })
  const found = await call('browse', { search: 'lighthouse', maxPrice: '0.01ether' })
  const [{ token } = {}] = found.memories ?? []
  await call('show', { memory: token })
  await call('buy', { tokenId: token, maxPrice: '0.01ether' })
}
