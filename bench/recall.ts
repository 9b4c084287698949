import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@heirloom/http/client'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { newServerFolder, startServer } from './parts/server.ts'

// Measures how many of the places that answer a question `search_in` and `recall` of the MCP server
// find among the first ten, and how long a question takes. The questions are those of LoCoMo
// (arXiv 2402.17753) in the file that the caller names: its licence keeps it out of this repository.

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('Name the file: node bench/recall.ts locomo10.json')

type Turn = { readonly dia_id: string }
type Conversation = Readonly<Record<string, string | readonly Turn[]>>
type Question = {
  readonly question: string
  readonly category: number
  readonly evidence: readonly string[]
}
type Sample = { readonly conversation: Conversation; readonly qa: readonly Question[] }
type Match = { readonly memory?: string; readonly at: string | null }

const samples: readonly Sample[] = JSON.parse(readFileSync(path, 'utf8'))
const folder = newServerFolder()
const server = await startServer(folder)
const client = createClient({ url: server.url, account: folder.wallet })
const mcp = new Client({ name: 'bench', version: '1' })
const program = join(import.meta.dirname, '../packages/http/dist/cli.js')
const env = { HEIRLOOM_URL: server.url, HEIRLOOM_PRIVATE_KEY: folder.key }
await mcp.connect(
  new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env }),
)

const nameOf = (at: number) => `conversation-${at + 1}`
for (const [at, { conversation }] of samples.entries()) {
  await client.memory(nameOf(at)).save({ data: conversation, metadata: { category: 'bench' } })
}

/** Returns the places of the turns that answer a question of a category of 1 to 4. */
function evidenceOf({ conversation }: Sample, { category, evidence }: Question) {
  if (category > 4) return new Set<string>()
  const ids = new Set(evidence.flatMap((it) => it.split(/[;,\s]+/)))
  const places = Object.entries(conversation).flatMap(([session, turns]) =>
    typeof turns === 'string' ? [] : turns.map((it, at) => [it.dia_id, `/data/${session}/${at}`]),
  )
  return new Set(places.flatMap(([id = '', place = '']) => (ids.has(id) ? [place] : [])))
}

/** Asks a tool, and returns the places of one memory that it names. */
async function ask(tool: string, input: Record<string, unknown>, memory: string) {
  const { content } = await mcp.callTool({ name: tool, arguments: { ...input, limit: 10 } })
  const [{ text = '' } = {}] = content as { readonly text?: string }[]
  const { matches } = JSON.parse(text) as { readonly matches: readonly Match[] }
  return matches.map((it) => ((it.memory ?? memory) === memory ? it.at : null))
}

type Score = { recall: number; reciprocal: number; readonly times: number[] }
const newScore = (): Score => ({ recall: 0, reciprocal: 0, times: [] })
const scores = { search_in: [newScore(), newScore()], recall: [newScore(), newScore()] }

for (const [at, sample] of samples.entries()) {
  const memory = nameOf(at)
  await ask('search_in', { memory, text: 'warm' }, memory)
  for (const question of sample.qa) {
    const evidence = evidenceOf(sample, question)
    if (evidence.size === 0) continue
    for (const [tool, halves] of Object.entries(scores)) {
      const score = halves[at % 2] as Score
      const input = tool === 'recall' ? {} : { memory }
      const began = performance.now()
      const found = await ask(tool, { ...input, text: question.question }, memory)
      score.times.push(performance.now() - began)
      score.recall += found.filter((it) => it !== null && evidence.has(it)).length / evidence.size
      const first = found.findIndex((it) => it !== null && evidence.has(it))
      score.reciprocal += first < 0 ? 0 : 1 / (first + 1)
    }
  }
}

for (const [tool, halves] of Object.entries(scores)) {
  for (const [nth, { recall, reciprocal, times }] of halves.entries()) {
    const { length } = times
    const sorted = times.toSorted((a, b) => a - b)
    const [median = 0, slow = 0] = [
      sorted[Math.floor(length / 2)],
      sorted[Math.floor(length * 0.95)],
    ]
    const half = nth === 0 ? 'conversations 1, 3, 5, 7, 9' : 'the other five'
    process.stdout.write(
      `${tool}, ${half}: ${length} questions, recall@10 ${(recall / length).toFixed(3)}, ` +
        `MRR ${(reciprocal / length).toFixed(3)}, median ${median.toFixed(1)} ms, p95 ${slow.toFixed(1)} ms\n`,
    )
  }
}
await mcp.close()
await server.stop()
folder.remove()
