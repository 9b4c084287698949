import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { deployContracts } from '@heirloom/adapters/contracts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { mustPrint } from '../harness/process/heirloom.ts'
import { startPostgres } from '../harness/process/postgres.ts'
import { downloadAs, hostServer, post, type Snapshot } from '../harness/process/server.ts'

type Environment = Readonly<Record<string, string>>

/** Starts two servers that share a wallet, a database and a master key, each with its own blobs. */
async function startPair() {
  const [anvil, postgres] = await Promise.all([startAnvil(), startPostgres()])
  const key = generatePrivateKey()
  const wallet = privateKeyToAccount(key)
  await testClient(anvil).setBalance({ address: wallet.address, value: 10n ** 20n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  const [first, second] = ['first-', 'second-'].map((name) =>
    mkdtempSync(join(tmpdir(), name)),
  ) as [string, string]
  const environmentOf = (folder: string): Environment => ({
    DATA_DIR: folder,
    RPC_URL: anvil.url.href,
    REGISTRY_ADDRESS: registry,
    MARKETPLACE_ADDRESS: marketplace,
    AGENT_PRIVATE_KEY: key,
    DATABASE_URL: postgres.url.href,
    MASTER_KEYS: masterKey,
  })
  const environments = [environmentOf(first), environmentOf(second)] as const
  const servers = [await hostServer(environments[0]), await hostServer(environments[1])] as const
  onTestFinished(async () => {
    for (const server of servers) await server.end()
    await postgres.stop('fast')
    await anvil.stop()
    for (const folder of [first, second, postgres.folder]) rmSync(folder, { recursive: true })
  })
  return { wallet, servers, environments }
}

/** The time between two saves of a server, in milliseconds. */
const pace = 3000

const masterKey = randomBytes(32).toString('hex')

async function heirloom(environment: Environment, ...words: readonly string[]) {
  return JSON.parse(await mustPrint(environment, ...words, '--json'))
}

async function snapshot(url: string, thought: string): Promise<Saved> {
  const body = JSON.stringify({ data: { thought }, metadata: { category: 'research' } })
  const response = await post(url, '/api/memory/snapshot', body)
  expect(response.status).toBe(201)
  return { url, id: ((await response.json()) as Snapshot).tokenId }
}

/** A memory that a server acknowledged. */
type Saved = { readonly url: string; readonly id: string }

test('destroying a key closes every memory under it, also those that another server saves', async () => {
  const { wallet, servers, environments } = await startPair()
  const [here, there] = servers
  const saved = [await snapshot(here.url, 'here'), await snapshot(there.url, 'there')]
  // The folder must be unused; the other server goes on saving.
  await here.end()
  const [{ id: key }] = (await heirloom(environments[0], 'keys', 'status')).keys
  const destruction = heirloom(environments[0], 'keys', 'destroy', key, '--yes')
  const ended = destruction.then(() => true)
  for (let isOver = false; !isOver; isOver = await Promise.race([ended, pause(pace, false)])) {
    saved.push(await snapshot(there.url, `memory ${saved.length}`))
  }
  const { destroyed, tokens, notHere } = await destruction
  saved.push(await snapshot(there.url, 'after'))

  const isReadable: boolean[] = []
  for (const { url, id } of saved.slice(1)) {
    isReadable.push((await downloadAs(wallet, url, id)).status === 200)
  }
  const again = await hostServer(environments[0])
  onTestFinished(async () => {
    await again.end()
  })
  const first = await downloadAs(wallet, again.url, saved[0]?.id ?? '')
  expect(first.status).toBe(500)
  expect([destroyed, tokens.map(String)]).toEqual([[key], [saved[0]?.id]])
  // All that was saved before the other server saw the new key is closed, and nothing after it.
  const closed = isReadable.lastIndexOf(false) + 1
  expect(isReadable).toEqual(isReadable.map((_, index) => index >= closed))
  expect([closed >= 1, closed < isReadable.length, notHere >= closed]).toEqual([true, true, true])
})
