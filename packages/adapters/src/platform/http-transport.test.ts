import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import fc from 'fast-check'
import { BaseError, createPublicClient, http } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { httpTransport } from './http-transport.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Starts a node that answers as it is told, and counts the connections made to it. */
async function nodeThat(answers: Handler) {
  let connections = 0
  const server = createServer(answers).listen(0, '127.0.0.1')
  server.on('connection', () => {
    connections += 1
  })
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as { port: number }
  return { url: new URL(`http://127.0.0.1:${port}/`), connections: () => connections, server }
}

const options = { timeout: 2_000, retryDelay: 1 }
const clientOf = (url: URL, more: Partial<typeof options> = {}) =>
  createPublicClient({ transport: httpTransport(url, { ...options, ...more }) })
const referenceOf = (url: URL) =>
  createPublicClient({
    transport: http(url.href, { retryCount: 1, retryDelay: 1, timeout: options.timeout }),
  })

const ask = { method: 'eth_chainId' } as const
const reply = (status: number, body: string, headers = {}): Handler => {
  return (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }
}

/** What tells apart the failures of two transports for those who look at them. */
const outcome = (asked: Promise<unknown>) =>
  asked.then(
    (result) => ({ result }),
    (error: unknown) => ({
      chain: [...chainOf(error)].map(({ name, code }) => [name, code]),
    }),
  )

function* chainOf(error: unknown): Generator<{ name?: string; code?: unknown }> {
  for (let at = error; at instanceof BaseError; at = at.cause) yield at as never
}

const error = (code: number) => JSON.stringify({ id: 1, error: { code, message: 'no' } })

describe('a node is understood as by the transport of viem', () => {
  test.each([
    [200, '{"jsonrpc":"2.0","id":1,"result":"0x1"}'],
    [200, '{"jsonrpc":"2.0","id":1,"result":null}'],
    [200, error(3)],
    [200, error(-32000)],
    [200, error(-32603)],
    [400, error(-32602)],
    [429, error(-32005)],
    [429, '{"error":"slow down"}'],
    [500, 'oops'],
    [503, ''],
    [404, '<html>'],
    [200, 'not JSON'],
  ])('when it answers %i %s', async (status, body) => {
    const { url } = await nodeThat(reply(status, body))
    expect(await outcome(clientOf(url).request(ask))).toEqual(
      await outcome(referenceOf(url).request(ask)),
    )
  })

  test('when nobody listens', async () => {
    const { url, server } = await nodeThat(reply(200, ''))
    server.close()
    expect(await outcome(clientOf(url).request(ask))).toEqual(
      await outcome(referenceOf(url).request(ask)),
    )
  })
})

test('asks what it was given, and tells answers apart', async () => {
  const { url, connections } = await nodeThat(async (request, response) => {
    const parts = await request.toArray()
    const { id, jsonrpc, method, params } = JSON.parse(Buffer.concat(parts).toString())
    response.end(JSON.stringify({ jsonrpc, id, result: { method, params } }))
  })
  const client = clientOf(url)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 20 }), async (all) => {
      const calls = all.map((param) => ({ method: 'eth_call', params: [param] }))
      const answers = await Promise.all(calls.map((call) => client.request(call as never)))
      expect(answers).toEqual(JSON.parse(JSON.stringify(calls)))
    }),
  )
  expect(connections()).toBeLessThanOrEqual(20)
})

/** Answers one question with what it asked; an odd parameter is refused. */
function echo({ id, params }: { id: number; params: [number] }) {
  if (params[0] % 2 === 0) return { jsonrpc: '2.0', id, result: params[0] }
  return { jsonrpc: '2.0', id, error: { code: 3, message: `no ${params[0]}` } }
}

describe('reads that are asked for together', () => {
  const lists = (answer: (asked: Parameters<typeof echo>[0][]) => [number, string]) => {
    const exchanges: number[] = []
    const handler: Handler = async (request, response) => {
      const asked = JSON.parse(Buffer.concat(await request.toArray()).toString())
      exchanges.push(Array.isArray(asked) ? asked.length : 1)
      const [status, text] = Array.isArray(asked)
        ? answer(asked)
        : [200, JSON.stringify(echo(asked))]
      response.writeHead(status).end(text)
    }
    return { exchanges, handler }
  }
  const read = (url: URL) => {
    const client = clientOf(url)
    const calls = [0, 1, 2, 3].map((place) => ({ method: 'eth_call', params: [place] }))
    return Promise.allSettled(calls.map((call) => client.request(call as never)))
  }
  const told = (outcomes: PromiseSettledResult<unknown>[]) =>
    outcomes.map((it) => (it.status === 'fulfilled' ? it.value : it.reason.details))
  const right = [0, 'no 1', 2, 'no 3']

  test('share one exchange, and each gets its own answer in whatever order they come', async () => {
    const { exchanges, handler } = lists((asked) => [
      200,
      JSON.stringify(asked.map(echo).toReversed()),
    ])
    const { url } = await nodeThat(handler)
    expect(told(await read(url))).toEqual(right)
    expect(exchanges).toEqual([4])
  })

  test.each([
    ['one error', 200, error(-32600)],
    ['a status without an answer', 400, 'batches are not supported'],
    ['a list without some of them', 200, JSON.stringify([{ id: 1, result: 0 }])],
  ])('are asked one by one where a list is answered with %s', async (_, status, text) => {
    const { exchanges, handler } = lists(() => [status, text])
    const { url } = await nodeThat(handler)
    expect(told(await read(url))).toEqual(right)
    expect(exchanges[0]).toBe(4)
    expect(new Set(exchanges.slice(1))).toEqual(new Set([1]))
  })
})

test('asks once more when a kept connection turns out to be closed', async () => {
  let connections = 0
  const server = createTcpServer((socket) => {
    connections += 1
    const first = connections === 1
    socket.on('error', () => undefined)
    let asked = 0
    socket.on('data', () => {
      asked += 1
      if (first && asked === 2) return socket.destroy()
      const body = '{"jsonrpc":"2.0","id":1,"result":"0x1"}'
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  const client = clientOf(new URL(`http://127.0.0.1:${port}`))
  for (let time = 0; time < 3; time++) expect(await client.request(ask)).toBe('0x1')
  expect(connections).toBe(2)
})

test('gives a node that stays silent up', async () => {
  const { url } = await nodeThat(() => undefined)
  const asked = clientOf(url, { timeout: 20 }).request(ask)
  await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('reads no answer without end', async () => {
  const { url } = await nodeThat((request, response) => {
    request.resume()
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(2 ** 20, 'x')));
      response.once('drain', more)
    }
    more()
  })
  await expect(clientOf(url).request(ask)).rejects.toMatchObject({ name: 'HttpRequestError' })
})

test('shows credentials to the node, and to nobody else', async () => {
  const seen: unknown[] = []
  const { url } = await nodeThat((request, response) => {
    seen.push([request.headers.authorization, request.url])
    response.writeHead(500).end('oops')
  })
  const secret = new URL('/rpc?network=test', url)
  secret.username = 'us er'
  secret.password = 'hunter:2'
  const client = clientOf(secret)
  const failure = (await client.request(ask).catch((it: unknown) => it)) as Error
  const basic = `Basic ${Buffer.from('us er:hunter:2').toString('base64')}`
  expect(seen).toEqual([
    [basic, '/rpc?network=test'],
    [basic, '/rpc?network=test'],
  ])
  expect(failure.message).toContain('/rpc')
  expect(JSON.stringify([failure, failure.message, failure.stack])).not.toMatch(/hunter|us%20er/)
})
