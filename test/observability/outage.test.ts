import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { until } from '../harness/nonce-lane/lane-fixture.ts'
import { startLoggedServer } from '../harness/observability/logged-server.ts'

/** Starts a node that can be stopped, and started again with its state. */
async function openNode() {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-node-'))
  const state = join(folder, 'state.json')
  let anvil: Anvil = await startAnvil({ state })
  const port = Number(anvil.url.port)
  onTestFinished(async () => {
    await anvil.stop()
    rmSync(folder, { recursive: true })
  })
  return {
    anvil,
    stop: () => anvil.stop(),
    restart: async () => {
      anvil = await startAnvil({ port, state })
    },
  }
}

async function settingsOn(anvil: Anvil): Promise<Record<string, string>> {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey)
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 20n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  return {
    RPC_URL: anvil.url.href,
    AGENT_PRIVATE_KEY: privateKey,
    MASTER_KEYS: '0x'.padEnd(66, '7'),
    REGISTRY_ADDRESS: registry,
    MARKETPLACE_ADDRESS: marketplace,
  }
}

const memory = JSON.stringify({ data: {}, metadata: { category: 'research' } })

test('a node that is down for many requests is logged once, and once when it is back', async () => {
  const node = await openNode()
  const server = await startLoggedServer(await settingsOn(node.anvil))
  const statusOf = async (path: string, body?: string) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    return (await fetch(`${server.url}${path}`, body === undefined ? {} : { ...init, body })).status
  }
  await expect.poll(() => statusOf('/readyz')).toBe(200)
  await node.stop()
  for (let round = 0; round < 10; round++) {
    const paths = ['/api/memory/1/info', '/api/marketplace/listings/1', '/readyz']
    expect(await Promise.all(paths.map((path) => statusOf(path)))).toEqual([503, 503, 503])
  }
  expect(await statusOf('/api/memory/snapshot', memory)).toBe(503)

  const downs = 'the node does not answer; this is logged again once it does'
  const warnings = server.lines().filter(({ level }) => level >= 40)
  expect(warnings.filter(({ msg }) => msg === downs)).toHaveLength(1)
  // A probe says which part is not ready, once for each part.
  const others = warnings.filter(({ msg }) => msg !== downs)
  expect(others.map(({ msg }) => msg)).toEqual(others.map(() => 'not ready'))
  const parts = others.map(({ component }) => component)
  expect(new Set(parts).size).toBe(parts.length)
  expect(parts).toContain('chain')

  await node.restart()
  await until(() => server.lines().some(({ msg }) => msg === 'the node answers again'))
  await expect.poll(() => statusOf('/readyz')).toBe(200)
  expect(await statusOf('/api/memory/snapshot', memory)).toBe(201)
  const backs = server.lines().filter(({ msg }) => msg === 'the node answers again')
  expect(backs).toHaveLength(1)
  expect(backs[0]?.failed).toBeGreaterThan(20)
  expect(server.lines().filter(({ msg }) => msg === downs)).toHaveLength(1)
})
