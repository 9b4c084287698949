import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@heirloom/http/client'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { median } from './figure.ts'
import { type LoadRequest, startLoad } from './parts/load.ts'
import { memoryOf, notes } from './parts/notes.ts'
import { download } from './parts/requests.ts'
import { newServerFolder, startServer } from './parts/server.ts'

// Measures how long a question takes of a small memory, of many, and of a large one whose index is not
// built yet, and how many of the places that answer a question `search_in` and `recall` of the MCP server find among the first ten. The questions
// are those of LoCoMo (arXiv 2402.17753) in the file that the caller names, if any: its licence keeps it
// out of this repository.

const [path] = process.argv.slice(2)

type Turn = { readonly dia_id: string }
type Conversation = Readonly<Record<string, string | readonly Turn[]>>
type Question = {
  readonly question: string
  readonly category: number
  readonly evidence: readonly string[]
}
type Sample = { readonly conversation: Conversation; readonly qa: readonly Question[] }
type Match = { readonly memory?: string; readonly at: string | null }

const samples: readonly Sample[] = path === undefined ? [] : JSON.parse(readFileSync(path, 'utf8'))
const folder = newServerFolder()
const server = await startServer(folder)
const client = createClient({ url: server.url, account: folder.wallet })
const mcp = new Client({ name: 'bench', version: '1' })
const program = join(import.meta.dirname, '../packages/http/dist/cli.js')
const env = { HEIRLOOM_URL: server.url, HEIRLOOM_PRIVATE_KEY: folder.key }
await mcp.connect(
  new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env }),
)

/** Returns the median time of a call of the client, in milliseconds. */
async function timeOf(call: () => Promise<unknown>) {
  const times: number[] = []
  for (let round = 0; round < 300; round += 1) {
    const began = performance.now()
    await call()
    times.push(performance.now() - began)
  }
  return median(times.slice(50))
}

const diary = { notes: ['We saw the sea.', 'She wrote a letter.'].map((text) => ({ text })) }
const { tokenId } = await client.snapshot({ data: diary, metadata: { category: 'bench' } })
const [recalling, info] = [
  await timeOf(() => client.searchIn(tokenId, 'Who writes letters?', { each: 'item' })),
  await timeOf(() => client.info(tokenId)),
]
process.stdout.write(
  `a question of a small memory: ${recalling.toFixed(1)} ms, ${(recalling / info).toFixed(1)} times info\n`,
)

/** Returns a metric of the server. */
async function metricOf(name: string) {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}

const words = 'tide harbour ledger calm signal risk price note storm anchor river letter'.split(' ')
const turnOf = (memory: number, at: number) => {
  const [first, second, third] = [7, 11, 5].map(
    (step) => words[(memory + step * at) % words.length],
  )
  const text = `On day ${at} we saw the ${first} near the ${second}, and a ${third} of ${memory}.`
  return { speaker: at % 2 === 0 ? 'Ada' : 'Ben', text }
}

/** Asks 20 memories of 300 items through MCP; returns the time and that of the processor in the server. */
async function recallAll() {
  for (let memory = 0; memory < 20; memory += 1) {
    const turns = Array.from({ length: 300 }, (_, at) => turnOf(memory, at))
    await client
      .memory(`turns-${memory}`)
      .save({ data: { turns }, metadata: { category: 'bench' } })
  }
  const rounds: { readonly elapsed: number; readonly processor: number }[] = []
  for (let round = 0; round < 120; round += 1) {
    const processorTime = () => metricOf('process_cpu_seconds_total')
    const first = await processorTime()
    const before = await processorTime()
    const began = performance.now()
    const text = `When did Ada see the storms near the rivers of ${round}?`
    await mcp.callTool({ name: 'recall', arguments: { text } })
    const elapsed = performance.now() - began
    // What a reading of the metrics takes itself is no part of the answer.
    const processor = 1000 * ((await processorTime()) - before - (before - first))
    rounds.push({ elapsed, processor })
  }
  return rounds.slice(20)
}

const p95Of = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0

const recalls = await recallAll()
const [elapsed, processor] = [recalls.map((it) => it.elapsed), recalls.map((it) => it.processor)]
process.stdout.write(
  `recall of 6,000 items in 20 memories: median ${median(elapsed).toFixed(1)} ms, p95 ${p95Of(elapsed).toFixed(1)} ms, ` +
    `of the processor in the server ${median(processor).toFixed(1)} and ${p95Of(processor).toFixed(1)} ms\n`,
)

/** Asks a memory of notes with embeddings whose index is not built yet. */
async function askCold(bytes: number) {
  const all = notes(bytes, 'cold')
  const { tokenId } = await client.snapshot({ document: memoryOf(all) })
  const [word] = (JSON.parse(all[0] ?? '') as { readonly text: string }).text.split(' ')
  // Each reading begins the next one.
  await metricOf('nodejs_eventloop_lag_max_seconds')
  const began = performance.now()
  const { statistics } = await client.searchIn(tokenId, `Where is ${word}?`, { each: 'item' })
  const seconds = (performance.now() - began) / 1000
  const longest = 1000 * (await metricOf('nodejs_eventloop_lag_max_seconds'))
  process.stdout.write(
    `the first question of ${bytes / 1e6} MB: ${seconds.toFixed(2)} s, ${statistics?.items ?? 'no'} items, ` +
      `the longest step of the event loop ${longest.toFixed(0)} ms\n`,
  )
}
for (const bytes of [10_000_000, 50_000_000]) await askCold(bytes)

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

for (const [tool, halves] of samples.length > 0 ? Object.entries(scores) : []) {
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

/** Saves a memory of short notes, and returns its token and a question that is answered from its index. */
async function saveNotes(count: number) {
  const notes = Array.from({ length: count }, (_, at) => ({
    text: `On day ${at} we walked ${at % 40} miles along the ${at % 7} rivers and slept.`,
  }))
  const saved = await client.snapshot({ data: { notes }, metadata: { category: 'bench' } })
  await client.searchIn(saved.tokenId, 'rivers', { each: 'item' })
  const { headers = {} } = await download(folder.wallet, { tokenId: Number(saved.tokenId) })
  const search = `/api/memory/${saved.tokenId}/search?each=item&q=how+many+miles+to+the+river`
  return { tokenId: saved.tokenId, question: { method: 'GET', path: search, headers } as const }
}

const [searching, watching] = [await startLoad(), await startLoad()]
const url = server.url
const p99Of = async (requests: readonly LoadRequest[]) =>
  (await watching.ask({ url, connections: 1, requests, seconds: 2 })).p99

const { question } = await saveNotes(60_000)
const idle = await p99Of([{ method: 'GET', path: '/livez' }])
const asking = searching.ask({ url, connections: 8, requests: Array(8).fill(question), seconds: 4 })
const busy = await p99Of([{ method: 'GET', path: '/livez' }])
const { rate } = await asking
process.stdout.write(
  `p99 of /livez with 8 searchers of 60,000 items: ${busy.toFixed(1)} ms (idle ${idle.toFixed(1)} ms), ${rate.toFixed(0)} questions a second\n`,
)
await searching.stop()
await watching.stop()
await mcp.close()
await server.stop()
folder.remove()
