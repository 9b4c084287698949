import { Failure } from '@heirloom/core'
import { expect, test } from 'vitest'
import { openHarness } from '../../../test/server-harness.ts'

const up = async () => undefined
const chainDown = new Failure('ledger/unavailable', { operation: 'eth_blockNumber' })
const storageDown = new Failure('blob/unavailable', { operation: 'write a block' })

test('is ready while every part answers, and again when it is back', async () => {
  let chain: () => Promise<unknown> = up
  const { server } = openHarness({ readiness: { chain: () => chain(), storage: up } })
  const statuses: number[] = []
  for (const now of [up, () => Promise.reject(chainDown), up]) {
    chain = now
    statuses.push((await server.inject('/readyz')).statusCode)
  }
  expect(statuses).toEqual([200, 503, 200])
})

test.each([
  ['chain', chainDown, 'ledger/unavailable'],
  ['storage', storageDown, 'blob/unavailable'],
  ['storage', new TypeError('secret'), 'service/unexpected'],
])('names the part that is down: %s', async (component, error, code) => {
  const readiness = { chain: up, storage: up, [component]: () => Promise.reject(error) }
  const { server } = openHarness({ readiness })
  const reply = await server.inject('/readyz')
  expect(reply.headers['content-type']).toBe('application/problem+json')
  expect(reply.json()).toMatchObject({ status: 503, code, component, retryable: true })
  expect(reply.statusCode).toBe(503)
  expect(reply.body).not.toContain('secret')
})

const diskFull = new Failure('folder/unusable', { folder: '.', problem: 'it is full' })

test('reports every part, and the failure of the first one that is down', async () => {
  const down = (failure: Failure) => () => Promise.reject(failure)
  const parts = { chain: up, storage: up, store: up, disk: up }
  const healthy = await openHarness({ readiness: parts }).server.inject('/readyz')
  const components = { chain: 'ok', storage: 'ok', store: 'ok', disk: 'ok' }
  expect(healthy.json()).toEqual({ status: 'ok', components })

  const readiness = { ...parts, storage: down(storageDown), disk: down(diskFull) }
  const reply = await openHarness({ readiness }).server.inject('/readyz')
  expect(reply.json()).toMatchObject({
    code: 'blob/unavailable',
    component: 'storage',
    components: { ...components, storage: 'blob/unavailable', disk: 'folder/unusable' },
  })

  const few = await openHarness({ readiness: { chain: up, storage: up } }).server.inject('/readyz')
  expect(few.json().components).toEqual({ chain: 'ok', storage: 'ok' })
})

test('lives whatever is down', async () => {
  const down = () => Promise.reject(chainDown)
  const { server } = openHarness({ readiness: { chain: down, storage: down } })
  const reply = await server.inject('/livez')
  expect([reply.statusCode, reply.json()]).toEqual([200, { status: 'ok' }])
})

test('names each part that does not answer, and asks it once however many ask meanwhile', async () => {
  const runs: string[] = []
  const { promise: end, resolve: finish } = Promise.withResolvers<void>()
  const silent = (part: string) => () => {
    runs.push(part)
    return end
  }
  const readiness = { chain: silent('chain'), storage: up, store: silent('store') }
  const { server } = openHarness({ readiness })
  const ask = async () => (await server.inject('/readyz')).json()
  const [one, other] = await Promise.all([ask(), ask()])
  const code = 'service/part-silent'
  expect(one).toMatchObject({
    status: 503,
    code,
    component: 'chain',
    facts: { part: 'chain' },
    retryable: true,
    components: { chain: code, storage: 'ok', store: code },
  })
  expect(other).toEqual(one)
  expect(runs).toEqual(['chain', 'store'])
  finish()
  const components = { chain: 'ok', storage: 'ok', store: 'ok' }
  expect(await ask()).toEqual({ status: 'ok', components })
})
