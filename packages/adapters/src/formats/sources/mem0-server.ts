import { isFailure, type JsonMembers, parseJson, readMembers } from '@heirloom/core'
import type { Omission } from '../import-report.ts'
import { textOf } from '../importers/json-file.ts'
import { inputLimits, throwMalformed } from '../source-file.ts'
import { type LiveServer, requestBytes, requestIfThere } from './bounded-request.ts'
import { listItems } from './list-items.ts'
import type { ReadSource } from './read-source.ts'

/** The address of mem0's own service. */
export const mem0Cloud = 'https://api.mem0.ai'

/** Names whose memories to read; several are all required. */
export type Mem0Filter = Readonly<
  Partial<Record<'user_id' | 'agent_id' | 'app_id' | 'run_id', string>>
>

/** The memories of one page, and the most pages. */
const pages = { size: 100, most: 10_000 } as const

/** The most memories that a server of one's own returns; it has no pages. */
const mostOfOwn = 1000

/**
 * Reads all memories of a user or an agent from mem0, each as its exact text: from its service page
 * after page (`POST /v3/memories/` of its HTTP interface), and where that is not there, from a server
 * of one's own at once (`GET /memories`). The pages are counted here: an address of a next page is
 * never followed.
 *
 * @throws `import/malformed`
 */
export async function readMem0Memories(
  server: LiveServer,
  filter: Mem0Filter,
): Promise<ReadSource> {
  const texts = new Map<string, string>()
  const seen = { bytes: 0, twice: 0, count: 0 }
  const first = await requestIfThere(pageRequest(server, filter, 1))
  if (first === undefined) return readOwnServer(server, filter)
  let page = 1
  let bytes = first
  while (await addPage({ texts, seen }, bytes)) {
    page += 1
    if (page > pages.most) throwMalformed('mem0', `it has more than ${pages.most} pages`)
    bytes = await requestBytes(pageRequest(server, filter, page))
  }
  return sourceOf(texts, leftOf(texts.size, seen))
}

async function readOwnServer(server: LiveServer, filter: Mem0Filter): Promise<ReadSource> {
  const { app_id, ...names } = filter
  if (app_id !== undefined) throwMalformed('mem0', 'a server of your own knows no app_id')
  const { apiKey } = server
  const query = new URLSearchParams({ ...names, top_k: `${mostOfOwn}` })
  const headers = {
    accept: 'application/json',
    ...(apiKey !== undefined && { 'x-api-key': apiKey }),
  }
  const bytes = await requestBytes({ server, path: `/memories?${query}`, init: { headers } })
  const texts = new Map<string, string>()
  await addPage({ texts, seen: { bytes: 0, twice: 0, count: 0 } }, bytes)
  const why = `a server of your own returns at most ${mostOfOwn}; choose fewer, such as with run_id`
  const isCut = texts.size >= mostOfOwn
  return sourceOf(texts, isCut ? [{ what: 'further memories', why, isLoss: true }] : [])
}

function sourceOf(texts: ReadonlyMap<string, string>, left: readonly Omission[]): ReadSource {
  const text = `{"count":${texts.size},"results":[${[...texts.values()].join(',')}]}`
  const file = { path: 'mem0.json', bytes: new TextEncoder().encode(text) }
  return { file, left }
}

type Memories = { readonly texts: Map<string, string>; readonly seen: Seen }

/** Adds the memories of a page; returns whether there is a next one. */
async function addPage({ texts, seen }: Memories, bytes: Uint8Array): Promise<boolean> {
  const members = readPage(bytes)
  const found = await readResults(members)
  for (const result of found) addText(texts, seen, result)
  seen.count = countOf(members) ?? seen.count
  return found.length > 0 && hasNext(members)
}

type Seen = { bytes: number; twice: number; count: number }
type Result = { readonly id: string; readonly text: string }

function addText(texts: Map<string, string>, seen: Seen, { id, text }: Result): void {
  if (texts.has(id)) {
    seen.twice += 1
    return
  }
  seen.bytes += Buffer.byteLength(text) + 1
  if (seen.bytes > inputLimits.bytes) {
    throwMalformed('mem0', `its memories have more than ${inputLimits.bytes} bytes; choose fewer`)
  }
  texts.set(id, text)
}

function pageRequest(server: LiveServer, filter: Mem0Filter, page: number): requestBytes.Options {
  const { apiKey } = server
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(apiKey !== undefined && { authorization: `Token ${apiKey}` }),
  }
  const all = Object.entries(filter).map(([name, value]) => ({ [name]: value }))
  const filters = all.length === 1 ? all[0] : { AND: all }
  const path = `/v3/memories/?page=${page}&page_size=${pages.size}`
  const init = { method: 'POST', headers, body: JSON.stringify({ filters }) }
  return { server, path, init }
}

function readPage(bytes: Uint8Array): JsonMembers {
  try {
    return readMembers(bytes)
  } catch (error) {
    if (isFailure(error)) throwMalformed('The answer of mem0', 'it is no JSON object', error)
    throw error
  }
}

async function readResults(members: JsonMembers): Promise<readonly Result[]> {
  const list = members.get('results')
  if (list === undefined) throwMalformed('The answer of mem0', 'it has no results')
  async function* whole() {
    yield list as Uint8Array
  }
  const results: Result[] = []
  const options = { subject: 'The answer of mem0', longest: list.length }
  for await (const { bytes } of listItems(whole(), options)) {
    const text = new TextDecoder().decode(bytes)
    const id = textOf(JSON.parse(text), 'id')
    if (id === undefined) throwMalformed('The answer of mem0', 'a memory of it has no id')
    results.push({ id, text })
  }
  return results
}

function countOf(members: JsonMembers): number | undefined {
  const count = members.get('count')
  const value = count === undefined ? undefined : parseJson(count)
  return typeof value === 'number' ? value : undefined
}

function hasNext(members: JsonMembers): boolean {
  const next = members.get('next')
  return next !== undefined && typeof parseJson(next) === 'string'
}

function leftOf(read: number, { twice, count }: Seen): readonly Omission[] {
  const again =
    twice === 0
      ? []
      : [
          {
            what: `memories named twice (${twice})`,
            why: 'memories were added or removed meanwhile; each is imported once',
          },
        ]
  const missing = count - read
  const why = `mem0 counts ${count} memories and returned ${read}`
  if (missing <= 0) return again
  return [...again, { what: `memories (${missing})`, why, isLoss: true }]
}
