import { exportMemory, importMemory } from '@heirloom/adapters/formats'
import {
  type LiveServer,
  readLettaAgent,
  readMem0Memories,
  writeLettaAgent,
} from '@heirloom/adapters/formats/sources'
import Letta from '@letta-ai/letta-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type StandIn, serveJson } from './serve-json.ts'

const apiKey = 'a-key-for-the-test'
// Spaces and order that no program would print again.
const agentText = '{ "agents": [{"name":"Loop","n": 1.0}], "blocks": [], "tools": [] }'
const memoryOf = (id: string) => ({ id, memory: `likes ${id}`, user_id: 'ada', score: 1e-7 })
const long = Array.from({ length: 1200 }, (_, nth) => ({
  ...memoryOf(`m${nth}`),
  user_id: nth < 1100 ? 'bo' : 'cy',
}))
const stored = Array.from({ length: 250 }, (_, nth) => memoryOf(`m${nth}`))

/** Answers as the interface of Letta does: an export as a JSON string, an import as a form. */
const letta: Answer = (request, response) => {
  const { address, method, body, headers } = request
  if (headers.authorization !== `Bearer ${apiKey}`) return refuse(response)
  if (method === 'GET' && address.pathname === '/v1/agents/agent-1/export')
    return Buffer.from(JSON.stringify(agentText))
  if (method === 'POST' && address.pathname === '/v1/agents/import' && body.includes(agentText))
    return { agent_ids: ['agent-2'] }
  return undefined
}

/** Answers as the interface of mem0 does: pages of the memories that the filters choose. */
const mem0: Answer = ({ address, method, body, headers }, response) => {
  if (headers.authorization !== `Token ${apiKey}`) return refuse(response)
  if (address.pathname === '/v1/ping/') return { status: 'ok', org_id: 'o', project_id: 'p' }
  if (method !== 'POST' || address.pathname !== '/v3/memories/') return undefined
  return pageOf(JSON.parse(body.toString()), address.searchParams)
}

function pageOf(
  { filters }: { readonly filters?: { readonly user_id?: string } },
  query: URLSearchParams,
) {
  const found = stored.filter(({ user_id }) => user_id === filters?.user_id)
  const [page, size] = [Number(query.get('page')), Number(query.get('page_size'))]
  const results = found.slice((page - 1) * size, page * size)
  const next = page * size < found.length ? 'http://169.254.169.254/elsewhere' : null
  return { count: found.length, next, previous: null, results }
}

/** Answers as a server of one's own does, which has neither pages nor the addresses of the service. */
const ownMem0: Answer = ({ address, method, headers }, response) => {
  if (method !== 'GET' || address.pathname !== '/memories') return undefined
  if (headers['x-api-key'] !== apiKey) return refuse(response)
  const most = Number(address.searchParams.get('top_k') ?? 20)
  if (most > 1000) return refuse(response, 422)
  const user = address.searchParams.get('user_id')
  return { results: long.filter(({ user_id }) => user_id === user).slice(0, most) }
}

function refuse(response: Parameters<Answer>[1], status = 401) {
  response.statusCode = status
  return { detail: 'Refused' }
}

let [lettaServer, mem0Server]: StandIn[] = []
beforeAll(async () => {
  lettaServer = await serveJson(letta)
  mem0Server = await serveJson(mem0)
})
afterAll(async () => {
  await lettaServer?.close()
  await mem0Server?.close()
})

const at = (server: StandIn | undefined, key: string | undefined = apiKey): LiveServer => ({
  url: server?.url ?? '',
  apiKey: key,
})

describe('an agent of a live Letta', () => {
  test('is what the client of Letta reads, and is created again byte for byte', async () => {
    const { file } = await readLettaAgent(at(lettaServer), 'agent-1')
    const client = new Letta({ apiKey, baseURL: lettaServer?.url ?? '' })
    expect(JSON.parse(new TextDecoder().decode(file.bytes))).toEqual(
      await client.agents.exportFile('agent-1'),
    )
    const { document, format } = importMemory([file], { secrets: 'refuse' })
    expect(format).toBe('letta-af')
    const [restored] = exportMemory(document)
    expect(restored).toEqual(file)
    const plain = { path: 'agent.af', bytes: new TextEncoder().encode(agentText) }
    expect(await writeLettaAgent(at(lettaServer), plain)).toEqual(['agent-2'])
  })

  test('is refused with a wrong key, or under an unknown id', async () => {
    await expect(readLettaAgent(at(lettaServer, 'wrong'), 'agent-1')).rejects.toThrow(
      /refuses the API key/,
    )
    await expect(readLettaAgent(at(lettaServer), 'agent-9')).rejects.toThrow(/no such agent/)
  })
})

describe('the memories of a live mem0', () => {
  test('are all of its pages, as its own client reads them', async () => {
    const { file, left } = await readMem0Memories(at(mem0Server), { user_id: 'ada' })
    expect(left).toEqual([])
    const { format, report } = importMemory([file], { secrets: 'refuse' })
    expect([format, report.taken]).toEqual(['mem0', [{ what: 'memories', count: 250 }]])
    process.env.MEM0_TELEMETRY = 'false'
    const { MemoryClient } = await import('mem0ai')
    const client = new MemoryClient({ apiKey, host: mem0Server?.url ?? '' })
    const own = await client.getAll({ filters: { user_id: 'ada' }, page: 3, pageSize: 100 })
    const { results } = JSON.parse(new TextDecoder().decode(file.bytes))
    expect(results.slice(200).map(({ id }: { id: string }) => id)).toEqual(
      own.results.map(({ id }) => id),
    )
    expect(results).toEqual(stored)
    // The result of the client, with its own names, is a file of the same format.
    const bytes = new TextEncoder().encode(JSON.stringify(own))
    expect(importMemory([{ path: 'mem0.json', bytes }], { secrets: 'refuse' }).format).toBe('mem0')
  })
})

describe('the memories of a mem0 server of your own', () => {
  let own: StandIn
  beforeAll(async () => {
    own = await serveJson(ownMem0)
  })
  afterAll(() => own.close())

  test('are all that it has', async () => {
    const { file, left } = await readMem0Memories(at(own), { user_id: 'cy' })
    expect(left).toEqual([])
    const { results } = JSON.parse(new TextDecoder().decode(file.bytes))
    expect(results).toEqual(long.slice(1100))
    expect(importMemory([file], { secrets: 'refuse' }).format).toBe('mem0')
  })

  test('say that there may be more than it returns', async () => {
    const { file, left } = await readMem0Memories(at(own), { user_id: 'bo' })
    expect(JSON.parse(new TextDecoder().decode(file.bytes)).count).toBe(1000)
    const further = { what: 'further memories', isLoss: true }
    expect(left).toEqual([{ ...further, why: expect.stringMatching('at most 1000') }])
  })

  test('are refused with a wrong key, or for an app, which it does not know', async () => {
    const wrong = readMem0Memories(at(own, 'wrong'), { user_id: 'bo' })
    await expect(wrong).rejects.toThrow(/refuses the API key/)
    const ofApp = readMem0Memories(at(own), { user_id: 'bo', app_id: 'notes' })
    await expect(ofApp).rejects.toThrow(/knows no app_id/)
  })
})

describe('a hostile server', () => {
  const refusalOf = async (answer: Answer, key?: string) => {
    const server = await serveJson(answer)
    const result = await readMem0Memories(
      { url: server.url, apiKey: key },
      { user_id: 'ada' },
    ).catch(String)
    await server.close()
    return result
  }

  test('that redirects gets no second request', async () => {
    let requests = 0
    const elsewhere = await serveJson(() => ({ results: [], requests: ++requests }))
    const refusal = await refusalOf((_, response) => {
      response.writeHead(307, { location: `${elsewhere.url}/v3/memories/` }).end()
    }, apiKey)
    await elsewhere.close()
    expect(refusal).toMatch(/redirects to another address/)
    expect(requests).toBe(0)
  })

  test('that answers without an end is cut off at the size of a memory', async () => {
    const piece = Buffer.alloc(2 ** 20, 0x20)
    const refusal = await refusalOf((_, response) => {
      response.writeHead(200)
      const write = () => {
        while (!response.destroyed && response.write(piece)) {}
      }
      response.on('drain', write)
      write()
    })
    expect(refusal).toMatch(/more than 67108864 bytes/)
  })

  test('that always has a next page is cut off, or ends where a page has nothing new', async () => {
    const same = { count: 1, next: 'x', results: [memoryOf('m1')] }
    let page = 0
    expect(await refusalOf(() => (++page < 4 ? same : { ...same, results: [] }))).toMatchObject({
      left: [{ what: 'memories named twice (2)' }],
    })
    const long = 'x'.repeat(2 ** 24)
    const refusal = await refusalOf(() => ({
      next: 'x',
      results: [{ id: `${++page}`, memory: long }],
    }))
    expect(refusal).toMatch(/more than 67108864 bytes; choose fewer/)
  })

  test.each([[{ results: [{ memory: 'no id' }] }], [[]], [{ results: {} }], [{ count: 1 }]])(
    'that answers %j is refused',
    async (value) => {
      expect(await refusalOf(() => value)).toMatch(/answer of mem0/)
    },
  )

  test.each(['http://example.com', 'ftp://localhost', 'https://me:secret@example.com', 'nowhere'])(
    'at %s is sent no key',
    async (url) => {
      const refusal = await readLettaAgent({ url, apiKey }, 'agent-1').catch(String)
      expect(refusal).toMatch(/^Failure: The address is invalid/)
      expect(refusal).not.toContain('secret')
    },
  )
})
