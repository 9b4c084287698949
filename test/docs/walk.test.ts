import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, parseEventLogs } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { deployAwkwardDollar, seller } from '../harness/chain/dollar-relay.ts'
import { type Stranger, stranger } from '../harness/docs/stranger.ts'
import { type Published, publish } from '../harness/packages/publish.ts'
import { clientOf } from '../harness/process/deployer.ts'
import { movedClock } from '../harness/process/moved-clock.ts'

// Strangers with dollars and no native money, at a server with API keys that they have none of, on a
// chain elsewhere: everything is installed from the tarballs, and typed as the documents say.

const day = 86_400
const usd = 1_000_000n
const apiKey = 'only-the-operator-has-this-key'
const operatorKey = generatePrivateKey()
const operator = privateKeyToAccount(operatorKey).address

let registry: Published
let project: Stranger
let anvil: Anvil
let dollar: Awaited<ReturnType<typeof deployAwkwardDollar>>
beforeAll(async () => {
  registry = await publish()
  project = stranger(registry.url)
  cpSync(join(import.meta.dirname, 'stranger/dollars'), project.folder, { recursive: true })
  anvil = await startAnvil()
  for (const address of [operator, seller.address])
    await testClient(anvil).setBalance({ address, value: 10n ** 20n })
  dollar = await deployAwkwardDollar(anvil)
})
afterAll(async () => {
  await anvil?.stop()
  project?.remove()
  await registry?.close()
})

/** Deploys the contracts, and starts a server that asks for API keys but for seals and relayed acts. */
async function startOperator(clock: Readonly<Record<string, string>>) {
  const keys = { AGENT_PRIVATE_KEY: operatorKey, MASTER_KEYS: `0x${'5'.repeat(64)}` }
  const chain = { RPC_URL: anvil.url.href, DATA_DIR: join(project.folder, 'operator') }
  const deployed = await project.run(
    `npx heirloom deploy --dollar ${dollar.address} --any-dollar`,
    { ...keys, ...chain },
  )
  const [REGISTRY_ADDRESS = '', MARKETPLACE_ADDRESS = ''] = deployed.match(/0x\w{40}/g) ?? []
  const open = { API_KEYS: apiKey, OPEN_ACTS: 'seal,relay' }
  const contracts = { REGISTRY_ADDRESS, MARKETPLACE_ADDRESS }
  const server = await project.serve('npx heirloom serve', {
    ...keys,
    ...chain,
    ...contracts,
    ...open,
    ...clock,
  })
  return { ...server, registry: REGISTRY_ADDRESS, marketplace: MARKETPLACE_ADDRESS as Hex }
}

/** Returns what the operator's wallet has sent since a block. */
async function sentSince(from: bigint) {
  const client = clientOf(anvil)
  const last = await client.getBlockNumber({ cacheTime: 0 })
  const numbers = Array.from(
    { length: Number(last - from) },
    (_, index) => from + 1n + BigInt(index),
  )
  const blocks = await Promise.all(
    numbers.map((blockNumber) => client.getBlock({ blockNumber, includeTransactions: true })),
  )
  const sent = blocks
    .flatMap(({ transactions }) => transactions)
    .filter((it) => it.from.toLowerCase() === operator.toLowerCase())
  return Promise.all(
    sent.map(async ({ hash, to, value }) => {
      const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash })
      return { to: `${to}`.toLowerCase(), value, fee: gasUsed * effectiveGasPrice }
    }),
  )
}

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, it) => sum + it, 0n)

type Spent = { readonly spentToday: string }

/** Returns a function that reads what the operator has lost, and what its server counted, since now. */
async function watchOperator(url: string) {
  const client = clientOf(anvil)
  const from = await client.getBlockNumber({ cacheTime: 0 })
  const read = async () => {
    const headers = { authorization: `Bearer ${apiKey}` }
    const wallet = (await (await fetch(`${url}/api/wallet`, { headers })).json()) as Spent
    const balance = await client.getBalance({ address: operator })
    return { balance, spent: BigInt(wallet.spentToday) }
  }
  const before = await read()
  return async () => {
    const [after, sent] = await Promise.all([read(), sentSince(from)])
    return {
      lost: before.balance - after.balance,
      counted: after.spent - before.spent,
      fees: sumOf(sent.map(({ fee }) => fee)),
      paid: sumOf(sent.map(({ value }) => value)),
      called: new Set(sent.map(({ to }) => to)),
    }
  }
}

const addressOf = (name: string) =>
  readFileSync(join(project.folder, `${name}.address`), 'utf8') as Hex
const read = (name: string) => readFileSync(join(project.folder, name), 'utf8')

type Deployed = { readonly forwarder: string }

/** Turns the clocks of the chain, the server and the commands by days. */
async function wait(days: number, clock: ReturnType<typeof movedClock>): Promise<void> {
  clock.moveOn(days * day * 1000)
  await testClient(anvil).increaseTime({ seconds: days * day })
  await testClient(anvil).mine({ blocks: 1 })
}

test('strangers with dollars alone do everything, and the operator pays the gas and nothing else', async () => {
  await project.install('@heirloom/http viem @modelcontextprotocol/client')
  const clock = movedClock(project.folder)
  const { url, end, marketplace, registry: pair } = await startOperator(clock.environment)
  const environment = {
    HEIRLOOM_URL: url,
    HEIRLOOM_RPC_URL: anvil.url.href,
    REGISTRY: pair,
    HEIRLOOM_STATE_DIR: join(project.folder, 'state'),
    ...clock.environment,
  }
  const run = (command: string) => project.run(command, environment)
  const today = () => Math.floor(Date.now() / 1000 / day)
  await run('node keys.mjs')
  for (const name of ['ada', 'ben', 'cleo'])
    await dollar.send('faucet', [addressOf(name), 100n * usd])
  const look = await watchOperator(url)
  const [ada, ben, cleo] = [addressOf('ada'), addressOf('ben'), addressOf('cleo')]
  const holdings = async () => Promise.all([ada, ben, cleo].map((it) => dollar.balanceOf(it)))
  const began = today()

  await run('bash sell.sh')
  expect(await holdings()).toEqual([103n * usd, 97n * usd, 100n * usd])

  // The issuer of the dollar blocks Ada, who is credited from now on.
  await dollar.send('blockAccount', [ada, true])
  expect(await run('bash buy.sh')).toContain('In dollars  5.5 USD')
  expect(read('refusal.txt')).toMatch(/refuses what it is paid; name another one/)
  expect(await holdings()).toEqual([103n * usd, 91_250_000n, 105_500_000n])
  expect(await run('node credit.mjs')).toBe('withdrew 250000\n')
  expect(await holdings()).toEqual([103n * usd, 94_125_000n, 102_750_000n])

  await dollar.send('blockAccount', [ada, false])
  expect(await run('node agent.mjs')).toMatch(/^made token \d+\n$/)
  // Of what Ada pays, the whole of each price is Ben's, the seller and the creator.
  expect(await holdings()).toEqual([99_915_000n, 97_335_000n, 102_750_000n])

  await run('bash heirs.sh')
  const { lost, counted, fees, paid } = await look()
  expect(lost).toBeGreaterThan(0n)
  expect(fees).toBe(lost)
  if (today() === began) expect(counted).toBe(lost)
  expect(paid).toBe(0n)

  await wait(30, clock)
  await run(`bash inherit.sh announce ${ada}`)
  await wait(30, clock)
  await run(`bash inherit.sh take-over ${ada} --yes`)
  const { tokenId } = JSON.parse(read('snapshot.json'))
  const args = [BigInt(tokenId)] as const
  const record = { address: pair as Hex, abi: memoryRegistryAbi, args } as const
  const client = clientOf(anvil)
  expect(await client.readContract({ ...record, functionName: 'creatorOf' })).toBe(ada)
  expect(await client.readContract({ ...record, functionName: 'ownerOf' })).toBe(ben)

  const whole = await look()
  expect(whole.fees).toBe(whole.lost)
  expect(whole.paid).toBe(0n)
  const { forwarder } = (await (await fetch(`${url}/api/deployment`)).json()) as Deployed
  expect(whole.called).toEqual(new Set([forwarder.toLowerCase(), marketplace.toLowerCase()]))
  await expectNothingOfOperator(marketplace)
  await end()
})

/** Expects that no event names the operator, which has neither made nor bought nor been paid anything. */
async function expectNothingOfOperator(marketplace: Hex): Promise<void> {
  const client = clientOf(anvil)
  expect(await dollar.balanceOf(operator)).toBe(0n)
  const logs = await client.getLogs({ fromBlock: 0n })
  const mine = logs.filter(({ topics, data, transactionHash }) => {
    const name = operator.slice(2).toLowerCase()
    return transactionHash !== null && `${topics}${data}`.includes(name)
  })
  expect(mine).toEqual([])
  const acts = parseEventLogs({ abi: memoryMarketplaceAbi, logs })
  expect(
    acts.filter(({ address }) => address.toLowerCase() === marketplace.toLowerCase()),
  ).not.toEqual([])
  for (const name of ['ada', 'ben', 'cleo'])
    expect(await client.getBalance({ address: addressOf(name) })).toBe(0n)
}
