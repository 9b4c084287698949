import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { deployContracts } from '@heirloom/adapters/contracts'
import type { Hex } from '@heirloom/core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type TestContext, test } from 'vitest'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { mustPrint } from '../harness/process/heirloom.ts'
import { startPostgres } from '../harness/process/postgres.ts'
import { downloadAs, hostServer, type Snapshot } from '../harness/process/server.ts'

type Environment = Readonly<Record<string, string>>

const heirloom = (environment: Environment, words: string) =>
  mustPrint(environment, ...words.split(' '))

/** Opens a place of two servers that share a wallet, a database and a master key, each with its own blobs. */
async function openPlace({ onTestFinished }: TestContext) {
  const [anvil, postgres] = await Promise.all([startAnvil(), startPostgres()])
  const key = generatePrivateKey()
  const wallet = privateKeyToAccount(key)
  const chain = testClient(anvil)
  const fund = (address: Hex) => chain.setBalance({ address, value: 10n ** 20n })
  await fund(wallet.address)
  const { registry, marketplace } = await deployContracts({ chain: anvil.url, wallet })
  const home = mkdtempSync(join(tmpdir(), 'keys-'))
  onTestFinished(async () => {
    await postgres.stop('fast')
    await anvil.stop()
    for (const folder of [home, postgres.folder]) rmSync(folder, { recursive: true })
  })
  const environmentOf = (name: string): Environment => ({
    DATA_DIR: join(home, name),
    RPC_URL: anvil.url.href,
    REGISTRY_ADDRESS: registry,
    MARKETPLACE_ADDRESS: marketplace,
    AGENT_PRIVATE_KEY: key,
    DATABASE_URL: postgres.url.href,
    MASTER_KEYS: '5'.repeat(64),
  })
  const start = async (environment: Environment) => {
    const server = await hostServer(environment)
    onTestFinished(async () => void (await server.end()))
    return server
  }
  return { home, wallet, fund, start, one: environmentOf('one'), other: environmentOf('other') }
}

const headersOf = (key: string) => ({ authorization: `Bearer ${key}` })

async function snapshot(url: string, key?: string): Promise<string> {
  const body = JSON.stringify({ data: {}, metadata: { category: 'research' } })
  const type = { 'content-type': 'application/json' }
  const headers = key === undefined ? type : { ...headersOf(key), ...type }
  const reply = await fetch(`${url}/api/memory/snapshot`, { method: 'POST', headers, body })
  if (reply.status !== 201) throw new Error(`The snapshot was answered with ${reply.status}.`)
  return ((await reply.json()) as Snapshot).tokenId
}

/** The time between two saves of a server, in milliseconds. */
const pace = 3000

// Each waits a minute, until no server can use a key any more.
test.concurrent('destroying a key closes every memory under it, also those that another server saves', async (context) => {
  const { expect } = context
  const { wallet, one, other, start } = await openPlace(context)
  const [here, there] = [await start(one), await start(other)]
  const first = await snapshot(here.url)
  const saved = [await snapshot(there.url)]
  // The folder must be unused; the other server goes on saving.
  await here.end()
  const [{ id: key }] = JSON.parse(await heirloom(one, 'keys status --json')).keys
  const destruction = heirloom(one, `keys destroy ${key} --yes --json`)
  const ended = destruction.then(() => true)
  for (let isOver = false; !isOver; isOver = await Promise.race([ended, pause(pace, false)])) {
    saved.push(await snapshot(there.url))
  }
  const { destroyed, tokens, notHere } = JSON.parse(await destruction)
  saved.push(await snapshot(there.url))

  const isReadable: boolean[] = []
  for (const id of saved) {
    isReadable.push((await downloadAs(wallet, there.url, id)).status === 200)
  }
  const again = await start(one)
  expect((await downloadAs(wallet, again.url, first)).status).toBe(500)
  expect([destroyed, tokens.map(String)]).toEqual([[key], [first]])
  // All that was saved before the other server saw the new key is closed, and nothing after it.
  const closed = isReadable.lastIndexOf(false) + 1
  expect(isReadable).toEqual(isReadable.map((_, index) => index >= closed))
  expect([closed >= 1, closed < isReadable.length, notHere >= closed]).toEqual([true, true, true])
})

const statusFor = async (url: string, key: string) =>
  (await fetch(`${url}/api/wallet`, { headers: headersOf(key) })).status

test.concurrent('servers that share a database act for the same tenants, and all drop one that is removed', async (context) => {
  const { expect } = context
  const { home, fund, start, ...place } = await openPlace(context)
  const file = { API_KEYS_FILE: join(home, 'keys.json') }
  const [one, other] = [
    { ...place.one, ...file },
    { ...place.other, ...file },
  ]
  await (await hostServer(place.one)).end()
  const keys: string[] = []
  for (const name of ['ada', 'ben']) {
    const { address } = JSON.parse(await heirloom(one, `tenants add ${name} --json`))
    await fund(address)
    keys.push(await heirloom(one, `api-key new ${name} --tenant ${name}`))
  }
  const [ada = '', ben = ''] = keys
  const [here, { url: there }] = [await start(one), await start(other)]
  const wallets = []
  for (const name of ['ada', 'ben']) {
    const path = join(home, `${name}.key`)
    await heirloom(one, `tenants wallet ${name} --file ${path}`)
    wallets.push(privateKeyToAccount(readFileSync(path, 'utf8').trim() as Hex))
  }
  const [adas, bens] = wallets as [(typeof wallets)[0], (typeof wallets)[0]]
  const [first, second] = [await snapshot(there, ada), await snapshot(there, ben)]
  await snapshot(here.url, ada)
  expect((await downloadAs(adas, there, first)).status).toBe(200)

  // The folder must be unused; the other server goes on.
  await here.end()
  const removal = heirloom(place.one, 'tenants remove ada --yes --json')
  const [{ destroyed, unfinished }] = await Promise.all([
    removal.then((printed) => JSON.parse(printed)),
    expect.poll(() => statusFor(there, ada), { interval: 500 }).toBe(401),
  ])
  expect([destroyed.length, unfinished]).toEqual([1, 0])
  expect(await statusFor(there, ada)).toBe(401)
  expect((await downloadAs(adas, there, first)).status).toBe(500)
  expect((await downloadAs(bens, there, second)).status).toBe(200)
  await snapshot(there, ben)
  const again = await start(one)
  expect([await statusFor(again.url, ada), await statusFor(again.url, ben)]).toEqual([401, 200])
})
