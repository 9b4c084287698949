import { Failure, type Ledger } from '@heirloom/core'
import { HttpRequestError } from 'viem'
import { expect, test } from 'vitest'
import { agent, memory, openWorld, post, proofOf } from '../../test/server-harness.ts'

const key = 'an-api-key-of-some-length'
const url = 'https://user:hunter2@node.example/'

function openLogged(more: object = {}) {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const logger = { level: 'trace', stream } as const
  const world = openWorld({ config: { apiKeys: [key] }, logger, ...more })
  return { world, lines, text: () => lines.join('\n') }
}

test('no signature, key or body is ever logged, at any level', async () => {
  const { world, text } = openLogged()
  const authorization = `Bearer ${key}`
  const secret = { ...memory, data: { diary: 'a secret thought' } }
  await post(world, '/api/memory/snapshot', secret, { authorization, cookie: 'session=crumbs' })
  await post(
    world,
    '/api/memory/snapshot',
    { ...secret, metadata: { category: 7 } },
    { authorization },
  )
  await post(world, '/api/memory/snapshot', '{"diary":"a secret thought', { authorization })
  await post(world, '/api/memory/snapshot', secret, { authorization: `${authorization}x` })
  const proof = await proofOf(agent, '1', 1_800_000_000)
  for (const id of ['1', '2']) {
    await world.server.inject({ url: `/api/memory/${id}?key=${key}`, headers: proof })
  }
  expect(text()).toContain('"path":"/api/memory/1"')
  for (const hidden of [
    key,
    'secret thought',
    'crumbs',
    proof['x-wallet-signature'].slice(2, 60),
  ]) {
    expect(text()).not.toContain(hidden)
  }
})

test('headers and bodies stay hidden in whatever a handler logs', async () => {
  const { world, text } = openLogged()
  const headers = { authorization: key, cookie: key, 'x-wallet-signature': key, accept: 'shown' }
  world.server.log.info({ request: { headers, body: key }, body: key, headers })
  expect(text()).toContain('shown')
  expect(text()).not.toContain(key)
})

test('a fault is logged with its causes, but without what a client library quotes in them', async () => {
  const cause = new HttpRequestError({ url, body: { secret: 'hunter2' }, status: 500 })
  const broken = (ledger: Ledger): Ledger => ({
    ...ledger,
    listing: () => {
      throw new Failure('ledger/unavailable', { operation: 'listing' }, { cause })
    },
    provenance: () => Promise.reject(new TypeError(`cannot read ${url}`)),
  })
  const { world, lines, text } = openLogged({ ledgerThrough: broken })
  await world.server.inject('/api/marketplace/listings/1')
  await world.server.inject('/api/memory/1/info')
  const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)
  expect(errors).toMatchObject([
    {
      code: 'ledger/unavailable',
      err: {
        message: expect.stringContaining('listing'),
        cause: { message: 'HTTP request failed.' },
      },
    },
    { code: 'service/unexpected', err: { cause: { type: 'TypeError' } } },
  ])
  expect(errors[1].err.cause.stack.length).toBeGreaterThan(0)
  expect(text()).not.toContain('hunter2')
})

test('every line of a request carries the id that its reply carries', async () => {
  const { world, lines } = openLogged()
  const reply = await world.server.inject('/api/memory/7/info')
  const ids = lines.map((line) => JSON.parse(line).reqId).filter((id) => id !== undefined)
  expect(ids.length).toBeGreaterThan(1)
  expect(new Set(ids)).toEqual(new Set([reply.headers['x-request-id']]))
})

test('every request that is answered is told of in one line, and so is its refusal', async () => {
  const { world, lines } = openLogged()
  const replies = [
    await world.server.inject('/livez'),
    await world.server.inject('/api/memory/7/info?secret=1'),
    await world.server.inject('/nowhere'),
  ]
  const told = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  expect(told.map(({ reqId, method, path, status, level }) => [reqId, method, path, status, level]))
    // biome-ignore format: one line for each reply
    .toEqual([
    [replies[0]?.headers['x-request-id'], 'GET', '/livez', 200, 30],
    [replies[1]?.headers['x-request-id'], 'GET', '/api/memory/7/info', 404, 30],
    [replies[2]?.headers['x-request-id'], 'GET', '/nowhere', 404, 30],
  ])
  for (const { took, ip } of told) expect([took >= 0, ip]).toEqual([true, '127.0.0.1'])
})
