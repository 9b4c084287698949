import { describe, expect, test } from 'vitest'
import { openHarness, post } from '../../test/server-harness.ts'
import { type Config, readConfig } from '../config/config.ts'
import { isLocalOnly } from '../config/read-access.ts'
import { warnOfUnboundedSpending } from './api-keys/open-api-keys.ts'

/** HOST, PUBLIC_URL, TRUST_PROXY, and the setting that lets other machines reach the server. */
const table = [
  ['127.0.0.1', '', '', undefined],
  ['127.0.0.1', 'http://127.0.0.1:3000', '', undefined],
  ['localhost', 'http://localhost:8080', 'false', undefined],
  ['::1', 'http://[::1]:3000', '0', undefined],
  ['127.0.0.1', '', '1', 'TRUST_PROXY'],
  ['::1', 'http://localhost:3000', 'loopback', 'TRUST_PROXY'],
  ['127.0.0.1', 'https://memories.example', '', 'PUBLIC_URL'],
  ['localhost', 'http://192.168.1.7', '', 'PUBLIC_URL'],
  ['::1', 'https://[2001:db8::1]', '2', 'PUBLIC_URL'],
  ['0.0.0.0', '', '', 'HOST'],
  ['0.0.0.0', 'http://127.0.0.1:3000', '', 'HOST'],
  ['192.168.1.7', '', '10.0.0.0/8', 'HOST'],
  ['memories.example', 'https://memories.example', '1', 'HOST'],
].map(([HOST, PUBLIC_URL, TRUST_PROXY, opening]) => ({
  env: { HOST, PUBLIC_URL, TRUST_PROXY },
  opening,
}))
const local = table.filter(({ opening }) => opening === undefined)
const reached = table.filter(({ opening }) => opening !== undefined)

/** Returns a configuration without the settings that say who reaches the server. */
function defaultsOf({ host: _, publicUrl: __, bounds, ...config }: Config) {
  const { trustProxy: ___, connectionsPerClient: ____, ...others } = bounds
  return { ...config, bounds: others }
}

describe('defaults that trust this machine', () => {
  test.each(local)('hold where only it reaches the server: $env', ({ env }) => {
    const config = readConfig(env)
    expect(isLocalOnly(config)).toBe(true)
    expect(defaultsOf(config)).toEqual(defaultsOf(readConfig({})))
    expect(config).toMatchObject({
      rpc: { isOn: true },
      faucet: { isOn: true },
      relay: { perClient: undefined },
      seals: { bounds: { perClient: { seals: 0, bytes: 0 } } },
      bounds: { requestsPerMinute: 0, connectionsPerClient: 0, mcpPerClient: 0 },
    })
  })

  test.each(reached)('are gone where $opening opens the server: $env', ({ env, opening }) => {
    const config = readConfig({ ...env, OPEN_WRITES: 'true' })
    expect(isLocalOnly(config)).toBe(false)
    const open = { HOST: '0.0.0.0', OPEN_WRITES: 'true' }
    expect(defaultsOf(config)).toEqual(defaultsOf(readConfig(open)))
    expect(config).toMatchObject({
      rpc: { isOn: false },
      faucet: { isOn: false },
      relay: { perClient: 10n ** 17n },
      seals: { bounds: { perClient: { seals: 2000, bytes: 512 * 2 ** 20 } } },
      bounds: { requestsPerMinute: 6000, mcpPerClient: 8 },
    })
    // All connections of a trusted proxy are those of its clients.
    expect(config.bounds.connectionsPerClient).toBe(env.TRUST_PROXY === '' ? 256 : 0)
    expect(() => readConfig(env)).toThrow(
      `API_KEYS or API_KEYS_FILE must be set, because ${opening} lets other machines reach`,
    )
  })

  test.each(reached)('let nobody sign for an unknown origin: $env', ({ env }) => {
    for (const more of [{ REQUIRE_BOUND_PROOF: 'true' }, { OPEN_ACTS: 'seal' }]) {
      const read = () => readConfig({ ...env, ...more, API_KEYS: 'a-key-of-some-length' })
      if (env.PUBLIC_URL === '') expect(read).toThrow('PUBLIC_URL must be set')
      else expect(read).not.toThrow()
    }
  })
})

const memory = { data: {}, metadata: { category: 'research' } }

describe('a server', () => {
  test.each(table)('has names without an owner for its user alone: $env', async (row) => {
    const config = readConfig({ ...row.env, OPEN_WRITES: 'true' })
    const harness = openHarness({ config })
    const saved = await post(harness, '/api/memory/snapshot', { ...memory, name: 'ada' })
    expect(saved.statusCode).toBe(row.opening === undefined ? 201 : 401)
  })

  test.each(table)('offers bound proofs where it knows its origin: $env', async (row) => {
    const { server } = openHarness({ config: readConfig({ ...row.env, OPEN_WRITES: 'true' }) })
    const { proofs } = (await server.inject('/api/deployment')).json()
    const knows = row.opening === undefined || row.env.PUBLIC_URL !== ''
    expect(proofs).toEqual(knows ? ['eip191', 'eip4361'] : ['eip191'])
  })

  test.each(reached)('behind a proxy answers to the name of PUBLIC_URL: $env', async ({ env }) => {
    const keys = { API_KEYS: 'a-key-of-some-length' }
    const own = new URL(env.PUBLIC_URL || 'http://localhost').host
    for (const [more, host, status] of [
      [{ OPEN_WRITES: 'true' }, own, 200],
      [{ OPEN_WRITES: 'true' }, 'evil.example', 403],
      // A page of another name has no key, and a proxy may have any name.
      [keys, 'evil.example', 200],
    ] as const) {
      const { server } = openHarness({ config: readConfig({ ...env, ...more }) })
      const reply = await server.inject({ url: '/livez', headers: { host } })
      expect([host, reply.statusCode]).toEqual([host, status])
    }
  })

  test.each(local)('of this machine answers to no other name: $env', async ({ env }) => {
    const { server } = openHarness({
      config: readConfig({ ...env, API_KEYS: 'a-key-of-16-letters' }),
    })
    const reply = await server.inject({ url: '/livez', headers: { host: 'evil.example' } })
    expect(reply.json().code).toBe('request/foreign-host')
  })

  test.each(table)('warns of spending without a limit where others reach it: $env', (row) => {
    const config = readConfig({ ...row.env, OPEN_WRITES: 'true' })
    const lines: unknown[] = []
    const log = { warn: (...line: unknown[]) => lines.push(line) }
    const keys = { isRequired: false, all: () => [] }
    warnOfUnboundedSpending(log as never, { ...config, tenants: [] }, keys)
    expect(lines).toHaveLength(row.opening === undefined ? 0 : 1)
  })
})
