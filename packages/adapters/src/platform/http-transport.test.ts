import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import fc from 'fast-check'
import { BaseError, createPublicClient, http } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { longestWait } from '../../../../test/tier.ts'
import { httpTransport } from './http-transport.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Starts a node with a handler, and counts the connections to it. */
async function startNode(handler: Handler) {
  let connections = 0
  const server = createServer(handler).listen(0, '127.0.0.1')
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

const options = { timeout: longestWait, retryDelay: 1 }
const clientOf = (url: URL, more: Partial<typeof options> = {}) =>
  createPublicClient({ transport: httpTransport(url, { ...options, ...more }) })
const referenceOf = (url: URL) =>
  createPublicClient({
    transport: http(url.href, { retryCount: 1, retryDelay: 1, timeout: options.timeout }),
  })

const chainIdCall = { method: 'eth_chainId' } as const
const reply = (status: number, body: string, headers = {}): Handler => {
  return (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }
}

/** Returns the result, or the names and codes by which callers distinguish failures. */
const outcomeOf = (sent: Promise<unknown>) =>
  sent.then(
    (result) => ({ result }),
    (error: unknown) => ({
      chain: [...chainOf(error)].map(({ name, code }) => [name, code]),
    }),
  )

function* chainOf(error: unknown): Generator<{ name?: string; code?: unknown }> {
  for (let at = error; at instanceof BaseError; at = at.cause) yield at as never
}

const error = (code: number) => JSON.stringify({ id: 1, error: { code, message: 'no' } })

describe('responses are interpreted as by the transport of viem', () => {
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
  ])('with %i %s', async (status, body) => {
    const { url } = await startNode(reply(status, body))
    expect(await outcomeOf(clientOf(url).request(chainIdCall))).toEqual(
      await outcomeOf(referenceOf(url).request(chainIdCall)),
    )
  })

  test('with a closed port', async () => {
    const { url, server } = await startNode(reply(200, ''))
    server.close()
    expect(await outcomeOf(clientOf(url).request(chainIdCall))).toEqual(
      await outcomeOf(referenceOf(url).request(chainIdCall)),
    )
  })
})

test('sends calls unchanged, and assigns each response to its call', async () => {
  const { url, connections } = await startNode(async (request, response) => {
    const parts = await request.toArray()
    const { id, jsonrpc, method, params } = JSON.parse(Buffer.concat(parts).toString())
    response.end(JSON.stringify({ jsonrpc, id, result: { method, params } }))
  })
  const client = clientOf(url)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 20 }), async (all) => {
      const calls = all.map((param) => ({ method: 'eth_call', params: [param] }))
      const results = await Promise.all(calls.map((call) => client.request(call as never)))
      expect(results).toEqual(JSON.parse(JSON.stringify(calls)))
    }),
  )
  expect(connections()).toBeLessThanOrEqual(20)
})

/** Returns the parameter of a call as its result; an odd one is an error. */
function echo({ id, params }: { id: number; params: [number] }) {
  if (params[0] % 2 === 0) return { jsonrpc: '2.0', id, result: params[0] }
  return { jsonrpc: '2.0', id, error: { code: 3, message: `no ${params[0]}` } }
}

describe('reads of one turn', () => {
  const batchNode = (respond: (sent: Parameters<typeof echo>[0][]) => [number, string]) => {
    const requestSizes: number[] = []
    const handler: Handler = async (request, response) => {
      const sent = JSON.parse(Buffer.concat(await request.toArray()).toString())
      requestSizes.push(Array.isArray(sent) ? sent.length : 1)
      const [status, text] = Array.isArray(sent) ? respond(sent) : [200, JSON.stringify(echo(sent))]
      response.writeHead(status).end(text)
    }
    return { requestSizes, handler }
  }
  const read = (url: URL) => {
    const client = clientOf(url)
    const calls = [0, 1, 2, 3].map((index) => ({ method: 'eth_call', params: [index] }))
    return Promise.allSettled(calls.map((call) => client.request(call as never)))
  }
  const valuesOf = (outcomes: PromiseSettledResult<unknown>[]) =>
    outcomes.map((it) => (it.status === 'fulfilled' ? it.value : it.reason.details))
  const expected = [0, 'no 1', 2, 'no 3']

  test('share one request, and each gets its own response in whatever order they come', async () => {
    const { requestSizes, handler } = batchNode((sent) => [
      200,
      JSON.stringify(sent.map(echo).toReversed()),
    ])
    const { url } = await startNode(handler)
    expect(valuesOf(await read(url))).toEqual(expected)
    expect(requestSizes).toEqual([4])
  })

  test.each([
    ['one error', 200, error(-32600)],
    ['an HTTP error', 400, 'batches are not supported'],
    ['an incomplete list', 200, JSON.stringify([{ id: 1, result: 0 }])],
  ])('are sent one by one after a batch is answered with %s', async (_, status, text) => {
    const { requestSizes, handler } = batchNode(() => [status, text])
    const { url } = await startNode(handler)
    expect(valuesOf(await read(url))).toEqual(expected)
    expect(requestSizes[0]).toBe(4)
    expect(new Set(requestSizes.slice(1))).toEqual(new Set([1]))
  })
})

test('retries once when a persistent connection turns out to be closed', async () => {
  let connections = 0
  const server = createTcpServer((socket) => {
    connections += 1
    const first = connections === 1
    socket.on('error', () => undefined)
    let requests = 0
    socket.on('data', () => {
      requests += 1
      if (first && requests === 2) return socket.destroy()
      const body = '{"jsonrpc":"2.0","id":1,"result":"0x1"}'
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  const client = clientOf(new URL(`http://127.0.0.1:${port}`))
  for (let time = 0; time < 3; time++) expect(await client.request(chainIdCall)).toBe('0x1')
  expect(connections).toBe(2)
})

test('does not wait as long as a node likes', async () => {
  const { url } = await startNode(reply(429, 'slow down', { 'retry-after': '31536000' }))
  const sent = clientOf(url).request(chainIdCall)
  await expect(sent).rejects.toMatchObject({ name: 'HttpRequestError', status: 429 })
})

test('times out when a node stays silent', async () => {
  const { url } = await startNode(() => undefined)
  const sent = clientOf(url, { timeout: 20 }).request(chainIdCall)
  await expect(sent).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('rejects a response that is too long', async () => {
  const { url } = await startNode((request, response) => {
    request.resume()
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(2 ** 20, 'x')));
      response.once('drain', more)
    }
    more()
  })
  await expect(clientOf(url).request(chainIdCall)).rejects.toMatchObject({
    name: 'HttpRequestError',
  })
})

test('sends credentials and keys in the path to the node, and never shows them', async () => {
  const received: unknown[] = []
  const { url } = await startNode((request, response) => {
    received.push([request.headers.authorization, request.url])
    response.writeHead(500).end('oops')
  })
  const secret = new URL('/v2/pathkey?network=test', url)
  secret.username = 'us er'
  secret.password = 'hunter:2'
  const client = clientOf(secret)
  const failure = (await client.request(chainIdCall).catch((it: unknown) => it)) as Error
  const basic = `Basic ${Buffer.from('us er:hunter:2').toString('base64')}`
  expect(received).toEqual([
    [basic, '/v2/pathkey?network=test'],
    [basic, '/v2/pathkey?network=test'],
  ])
  expect(failure.message).toContain(url.host)
  expect(JSON.stringify([failure, failure.message, failure.stack])).not.toMatch(
    /hunter|us%20er|pathkey/,
  )
})
