import { readFileSync } from 'node:fs'
import type { LaneEvent, LaneJob } from '@heirloom/adapters/ledger'
import { Failure, wei } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory, mintToken, openHarness, post } from '../../test/server-harness.ts'
import { metrics } from './metrics.ts'

const wallet = async () => ({ balance: wei(7n), spentToday: wei(3n) })
const own = () => [{ tenant: undefined, read: wallet }]

/** Returns the value of every sample, by its name and labels in the text. */
const samplesIn = (text: string): ReadonlyMap<string, number> =>
  new Map(
    [...text.matchAll(/^([a-z]\S*(?:\{.*\})?) (\S+)$/gm)].map(([, name = '', value]) => [
      name,
      Number(value),
    ]),
  )

async function samplesAfter(events: readonly LaneEvent[], options: metrics.Options = {}) {
  const meters = metrics({ wallets: own, now: () => 1_000_000, ...options })
  for (const event of events) meters.observe(event)
  return samplesIn(await meters.text())
}

describe('the gauges of a wallet', () => {
  test('are apart for each tenant, and have no label for the server', async () => {
    const wallets = () => [
      ...own(),
      {
        tenant: 'ada',
        read: async () => ({ balance: wei(9n), spentToday: wei(1n) }),
        isShared: () => true,
      },
    ]
    const meters = metrics({ wallets })
    meters.observe({ kind: 'slots', open: 2 })
    meters.observe({ kind: 'slots', open: 5 }, 'ada')
    meters.observe({ kind: 'refused', jobs: jobsOf(3) }, 'ada')
    const samples = samplesIn(await meters.text())
    const read = (name: string) => [samples.get(name), samples.get(`${name}{tenant="ada"}`)]
    expect(read('heirloom_wallet_balance_wei')).toEqual([7, 9])
    expect(read('heirloom_wallet_spent_today_wei')).toEqual([3, 1])
    expect(read('heirloom_wallet_shared')).toEqual([0, 1])
    expect(read('heirloom_lane_open')).toEqual([2, 5])
    expect(read('heirloom_lane_leads')).toEqual([0, undefined])
    const refused = ['', ',tenant="ada"'].map((more) => `heirloom_jobs_total{end="refused"${more}}`)
    expect(refused.map((name) => samples.get(name))).toEqual([0, 3])
  })

  test('show nothing open any more where another process leads', async () => {
    const samples = await samplesAfter([
      { kind: 'leads', leads: true },
      { kind: 'slots', open: 5 },
      { kind: 'leads', leads: false },
    ])
    expect(samples.get('heirloom_lane_open')).toBe(0)
  })
})

test('the clock is compared with those that are seen, and with no other', async () => {
  const clocks: ('chain' | 'database')[] = ['chain', 'database']
  const meters = metrics({ clocks: () => clocks.map((clock) => ({ clock, seconds: -90 })) })
  const read = async () =>
    [...samplesIn(await meters.text())].filter(([name]) => name.startsWith('heirloom_clock'))
  expect(await read()).toEqual([
    ['heirloom_clock_ahead_seconds{clock="chain"}', -90],
    ['heirloom_clock_ahead_seconds{clock="database"}', -90],
  ])
  clocks.shift()
  expect(await read()).toEqual([['heirloom_clock_ahead_seconds{clock="database"}', -90]])
})

describe('docs/metrics.md', () => {
  const docs = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8')
  const rows = [...docs.matchAll(/^\| `.*$/gm)].map(([line]) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  const documented = rows.filter(([name]) => name?.startsWith('`heirloom_'))

  async function registered() {
    const text = await metrics().text()
    const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, a, b]) => [a, b]))
    return [...text.matchAll(/^# HELP (\w+) (.*)$/gm)].map(([, name = '', help = '']) => ({
      name,
      help,
      type: types.get(name),
    }))
  }

  test('describes each of our metrics in the words of the registry, and no other', async () => {
    const ours = (await registered()).filter(({ name }) => name.startsWith('heirloom_'))
    const found = documented.map(([name, type, , help]) => [name, type, help])
    expect(found).toEqual(
      ours.map(({ name, type, help }) => [`\`${name}\``, type, help]).toSorted(),
    )
  })

  test('names the labels that samples have', async () => {
    const node = { place: 1, state: 'up', height: 7, lag: 0 } as const
    const wallets = () => [...own(), { tenant: 'ada', read: wallet }]
    const peers = [{ peer: '12D3', bytes: 7, refused: 1 }]
    const ofPeers = () => ({ limit: 9, peers })
    const clocks = () => [{ clock: 'database', seconds: 2 }] as const
    const meters = metrics({ wallets, ofPeers, clocks, nodes: () => [node] })
    meters.observe({ kind: 'leads', leads: true }, 'ada')
    meters.observe({ kind: 'slots', open: 1 }, 'ada')
    meters.observe({ kind: 'refused', jobs: [] }, 'ada')
    meters.observe({ kind: 'resent', txHash: '0x', nonce: 1, jobs: [] }, 'ada')
    meters.answered({ method: 'GET', route: '/', status: 200, took: 1, key: 'shop' })
    meters.relayed({ act: 'mint', result: 'done' })
    meters.paidActs({ act: 'rent', result: 'paid' })
    meters.keyService({ operation: 'sign', milliseconds: 1 })
    const text = await meters.text()
    for (const [name = '', , labels = ''] of documented) {
      const line = new RegExp(`^${name.replaceAll('`', '')}(_count|_bucket)?\\{.*`, 'gm')
      // The last is of the tenant, where a metric tells its wallets apart.
      const [sample = ''] = [...text.matchAll(line)].at(-1) ?? []
      const used = [...sample.matchAll(/(\w+)="/g)].map(([, label]) => `\`${label}\``)
      expect([name, labels]).toEqual([name, used.filter((it) => it !== '`le`').join(', ')])
    }
  })

  test('names every metric of the process', async () => {
    const [, section = ''] = docs.split('\n## The process\n')
    const named = new Set(section.match(/(?<=`)(nodejs|process)_\w+/g))
    const theirs = (await registered())
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('heirloom_'))
    expect(theirs.filter((name) => !named.has(name))).toEqual([])
    if (process.platform === 'linux') expect(named.size).toBe(theirs.length)
  })
})

const jobsOf = (count: number): readonly LaneJob[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `job ${at}`,
    operation: 'mint',
    state: 'done',
    acceptedAt: 0,
  }))
const transactionOf = (count: number) => ({ txHash: '0x', nonce: 1, jobs: jobsOf(count) }) as const
const settledOf = (count: number) => ({
  ...transactionOf(count),
  block: 1n,
  attempts: 1,
  signedAt: 0,
})

describe('metrics', () => {
  test('count writes by their end, and transactions by their event', async () => {
    const seen = await samplesAfter([
      { kind: 'signed', ...transactionOf(3), waited: 40 },
      { kind: 'settled', ...settledOf(3), waited: 700 },
      { kind: 'settled', ...settledOf(2), waited: 1300 },
      { kind: 'refused', jobs: jobsOf(4) },
      { kind: 'replaced', ...transactionOf(1) },
      { kind: 'replaced', ...transactionOf(1) },
      { kind: 'lost', ...transactionOf(0) },
      { kind: 'reorganised' },
      { kind: 'leads', leads: true },
      { kind: 'slots', open: 5 },
      { kind: 'head', number: 12n, timestamp: 990n },
      { kind: 'trouble', error: new Error('secret') },
    ])
    expect(Object.fromEntries(seen)).toMatchObject({
      'heirloom_jobs_total{end="settled"}': 5,
      'heirloom_jobs_total{end="refused"}': 4,
      'heirloom_transactions_total{event="resent"}': 0,
      'heirloom_transactions_total{event="replaced"}': 2,
      'heirloom_transactions_total{event="cancelled"}': 0,
      'heirloom_transactions_total{event="lost"}': 1,
      heirloom_batch_size_sum: 3,
      heirloom_batch_size_count: 1,
      heirloom_job_signed_seconds_sum: 0.04,
      heirloom_job_settled_seconds_sum: 2,
      heirloom_job_settled_seconds_count: 2,
      heirloom_reorganisations_total: 1,
      heirloom_lane_leads: 1,
      heirloom_lane_open: 5,
      heirloom_head_number: 12,
      heirloom_head_age_seconds: 10,
      heirloom_rpc_errors_total: 1,
      heirloom_wallet_balance_wei: 7,
      heirloom_wallet_spent_today_wei: 3,
    })
  })

  test('lose no write, whatever the order of events', async () => {
    const jobs = fc.integer({ min: 1, max: 200 })
    const event: fc.Arbitrary<Extract<LaneEvent, { jobs: unknown }>> = fc
      .tuple(fc.constantFrom('signed', 'settled', 'refused'), jobs, fc.nat())
      .map(([kind, count, waited]) => ({ kind, ...settledOf(count), waited }))
    await fc.assert(
      fc.asyncProperty(fc.array(event), async (events) => {
        const seen = await samplesAfter(events)
        const sum = (kind: string) =>
          events.filter((it) => it.kind === kind).reduce((all, it) => all + it.jobs.length, 0)
        expect(seen.get('heirloom_jobs_total{end="settled"}')).toBe(sum('settled'))
        expect(seen.get('heirloom_jobs_total{end="refused"}')).toBe(sum('refused'))
        expect(seen.get('heirloom_batch_size_sum')).toBe(sum('signed'))
      }),
      { numRuns: 20 },
    )
  })

  test('are returned without the wallet while the chain is down, and with it afterwards', async () => {
    let now = wallet
    const meters = metrics({
      wallets: () => [{ tenant: undefined, read: () => now() }],
      patience: 1,
    })
    const names = async () => [...samplesIn(await meters.text()).keys()]
    expect(await names()).toContain('heirloom_wallet_balance_wei')
    const dead = new Failure('ledger/unavailable', { operation: 'eth_getBalance' })
    for (const answer of [() => Promise.reject(dead), () => new Promise<never>(() => undefined)]) {
      now = answer
      const found = await names()
      expect(found).toContain('heirloom_lane_open')
      const read = found.filter((name) => name.startsWith('heirloom_wallet'))
      expect(read).toEqual(['heirloom_wallet_shared'])
    }
    now = wallet
    expect(await names()).toContain('heirloom_wallet_spent_today_wei')
  })

  test('have no head before the first block was read', async () => {
    const names = [...(await samplesAfter([])).keys()]
    expect(names.filter((name) => name.startsWith('heirloom_head'))).toEqual([])
  })
})

describe('/metrics', () => {
  test('counts requests by method, route and status', async () => {
    const harness = openHarness({ metrics: metrics({ wallets: own }) })
    const { server } = harness
    for (const id of [await mintToken(harness), '77']) await server.inject(`/api/memory/${id}/info`)
    await post(harness, '/api/memory/snapshot', memory, { origin: 'http://evil.example' })
    await server.inject('/no/such/path')
    const reply = await server.inject('/metrics')
    expect(reply.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    const counts = [...samplesIn(reply.body)].flatMap(([name, value]) => {
      const [, labels] = /^heirloom_http_request_duration_seconds_count\{(.*)\}$/.exec(name) ?? []
      return labels === undefined ? [] : [[labels.replaceAll('"', ''), value]]
    })
    expect(Object.fromEntries(counts)).toEqual({
      'method=POST,route=/api/memory/snapshot,status=201': 1,
      'method=GET,route=/api/memory/:tokenId/info,status=200': 1,
      'method=GET,route=/api/memory/:tokenId/info,status=404': 1,
      'method=POST,route=/api/memory/snapshot,status=403': 1,
      'method=GET,route=none,status=404': 1,
    })
  })

  test('counts a refused stream, and no open one', async () => {
    const meters = metrics({ wallets: own })
    const { server } = openHarness({ metrics: meters, streams: { most: 1 } })
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    const open = await fetch(`${url}/api/events`)
    expect((await fetch(`${url}/api/events`)).status).toBe(503)
    // A stream that the server ends is answered completely; one that its reader leaves never is.
    await Promise.all([open.text(), server.close()])
    const counts = [...samplesIn(await meters.text()).keys()].filter((name) =>
      /_seconds_count\{.*"\/api\/events"/.test(name),
    )
    expect(counts.map((name) => /status="(\d+)"/.exec(name)?.[1])).toEqual(['503'])
  })

  test('requires an API key where the server has any', async () => {
    const apiKeys = ['the-first-of-the-keys']
    const { server } = openHarness({ metrics: metrics({ wallets: own }), config: { apiKeys } })
    expect((await server.inject('/metrics')).json().code).toBe('request/not-authorized')
    const headers = { authorization: `Bearer ${apiKeys[0]}` }
    const reply = await server.inject({ url: '/metrics', headers })
    expect(reply.body).toContain('heirloom_wallet_balance_wei 7')
  })
})
