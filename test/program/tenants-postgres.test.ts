import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployContracts } from '@heirloom/adapters/contracts'
import type { Hex } from '@heirloom/core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { mustPrint } from '../harness/process/heirloom.ts'
import { startPostgres } from '../harness/process/postgres.ts'
import { downloadAs, hostServer } from '../harness/process/server.ts'

type Environment = Readonly<Record<string, string>>

const heirloom = (env: Environment, words: string) => mustPrint(env, ...words.split(' '))

/** Returns the environments of two servers that share a wallet, a database and a master key. */
async function openPlace() {
  const [anvil, postgres] = await Promise.all([startAnvil(), startPostgres()])
  const key = generatePrivateKey()
  const wallet = privateKeyToAccount(key)
  const chain = testClient(anvil)
  await chain.setBalance({ address: wallet.address, value: 10n ** 20n })
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  const home = mkdtempSync(join(tmpdir(), 'tenants-'))
  onTestFinished(async () => {
    await postgres.stop('fast')
    await anvil.stop()
    for (const folder of [home, postgres.folder]) rmSync(folder, { recursive: true })
  })
  const master = randomBytes(32).toString('hex')
  const environmentOf = (name: string): Environment => ({
    DATA_DIR: join(home, name),
    API_KEYS_FILE: join(home, 'keys.json'),
    RPC_URL: anvil.url.href,
    AGENT_PRIVATE_KEY: key,
    MASTER_KEYS: master,
    REGISTRY_ADDRESS: registry,
    MARKETPLACE_ADDRESS: marketplace,
    DATABASE_URL: postgres.url.href,
  })
  const fund = (address: Hex) => chain.setBalance({ address, value: 10n ** 20n })
  return { home, fund, one: environmentOf('one'), other: environmentOf('other') }
}

const headersOf = (key: string) => ({ authorization: `Bearer ${key}` })

async function snapshot(url: string, key: string): Promise<string> {
  const body = JSON.stringify({ data: {}, metadata: { category: 'research' } })
  const headers = { ...headersOf(key), 'content-type': 'application/json' }
  const reply = await fetch(`${url}/api/memory/snapshot`, { method: 'POST', headers, body })
  expect(reply.status).toBe(201)
  return ((await reply.json()) as { tokenId: string }).tokenId
}

const statusFor = async (url: string, key: string) =>
  (await fetch(`${url}/api/wallet`, { headers: headersOf(key) })).status

test('servers that share a database act for the same tenants, and all drop one that is removed', async () => {
  const { home, fund, one, other } = await openPlace()
  await (await hostServer({ ...one, API_KEYS_FILE: '' })).end()
  const keys: string[] = []
  for (const name of ['ada', 'ben']) {
    const { address } = JSON.parse(await heirloom(one, `tenants add ${name} --json`))
    await fund(address)
    keys.push(await heirloom(one, `api-key new ${name} --tenant ${name}`))
  }
  const [ada = '', ben = ''] = keys
  const servers = [await hostServer(one), await hostServer(other)] as const
  onTestFinished(async () => {
    for (const server of servers) await server.end()
  })
  const there = servers[1].url
  const wallets = []
  for (const name of ['ada', 'ben']) {
    const file = join(home, `${name}.key`)
    await heirloom(one, `tenants wallet ${name} --file ${file}`)
    wallets.push(privateKeyToAccount(readFileSync(file, 'utf8').trim() as Hex))
  }
  const [adas, bens] = wallets as [(typeof wallets)[0], (typeof wallets)[0]]
  const [first, second] = [await snapshot(there, ada), await snapshot(there, ben)]
  await snapshot(servers[0].url, ada)
  expect((await downloadAs(adas, there, first)).status).toBe(200)

  // The folder must be unused; the other server goes on.
  await servers[0].end()
  const removal = heirloom({ ...one, API_KEYS_FILE: '' }, 'tenants remove ada --yes --json')
  await expect.poll(() => statusFor(there, ada), { interval: 500 }).toBe(401)
  const { destroyed, unfinished } = JSON.parse(await removal)
  expect([destroyed.length, unfinished]).toEqual([1, 0])
  expect(await statusFor(there, ada)).toBe(401)
  expect((await downloadAs(adas, there, first)).status).toBe(500)
  expect((await downloadAs(bens, there, second)).status).toBe(200)
  await snapshot(there, ben)
  const again = await hostServer(one)
  onTestFinished(async () => {
    await again.end()
  })
  expect([await statusFor(again.url, ada), await statusFor(again.url, ben)]).toEqual([401, 200])
})
