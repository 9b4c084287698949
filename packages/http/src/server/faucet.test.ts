import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDollar } from '@heirloom/adapters/contracts'
import { account, isFailure } from '@heirloom/core'
import { createPublicClient, http, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { openFaucet } from './faucet.ts'
import { serve } from './serve.ts'

/** Starts a server on a new embedded chain. */
async function startServer(env: Readonly<Record<string, string>> = {}) {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'faucet-'))
  const server = await serve(readConfig({ DATA_DIR, PORT: '0', LOG_LEVEL: 'silent', ...env }))
  onTestFinished(async () => {
    await server.close()
    rmSync(DATA_DIR, { recursive: true, force: true })
  })
  await server.ready
  return server
}

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

const ask = (url: string, address: string) =>
  fetch(new URL('/api/faucet', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address }),
  })

const erc20 = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
])

type Deployment = {
  readonly rpcUrl: string
  readonly dollar: { readonly address: `0x${string}` }
}

const readDeployment = async (url: string) =>
  (await (await fetch(new URL('/api/deployment', url))).json()) as Deployment

test('the deployment names all contracts, and where a wallet reaches the chain', async () => {
  const { url } = await startServer()
  const deployment = await readDeployment(url)
  expect(deployment).toMatchObject({
    rpcUrl: `${url}/rpc`,
    chainName: 'Heirloom embedded chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    nativePrice: null,
    explorerUrl: null,
    dollar: testDollar,
  })
  const client = createPublicClient({ transport: http(deployment.rpcUrl) })
  const read = (functionName: 'name' | 'symbol' | 'version' | 'decimals') =>
    client.readContract({ address: deployment.dollar.address, abi: erc20, functionName })
  for (const name of ['name', 'symbol', 'version', 'decimals'] as const) {
    expect(await read(name)).toBe(testDollar[name])
  }
})

test('an account without any money gets test dollars, and only so often a day', async () => {
  const { url } = await startServer({ FAUCET_PER_DAY: '2' })
  const [ada, ben] = [newAddress(), newAddress()]
  const first = await ask(url, ada)
  expect([first.status, await first.json()]).toEqual([
    201,
    { txHash: expect.stringMatching(/^0x\w{64}$/), amount: '100000000', playMoney: true },
  ])
  const { dollar, rpcUrl } = await readDeployment(url)
  const client = createPublicClient({ transport: http(rpcUrl) })
  const balanceOf = (holder: `0x${string}`) =>
    client.readContract({
      address: dollar.address,
      abi: erc20,
      functionName: 'balanceOf',
      args: [holder],
    })
  expect(await balanceOf(ada)).toBe(100_000_000n)
  expect(await client.getBalance({ address: ada })).toBe(0n)
  expect((await ask(url, ada)).status).toBe(201)
  const third = await ask(url, ben)
  expect([third.status, await third.json()]).toMatchObject([429, { code: 'request/too-many' }])
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await balanceOf(ben)).toBe(0n)
})

test.each(['0x12', `${newAddress()}0`, '0x70997970C51812dc3A010C7d01b50e0d17dc79c8'])(
  'refuses the address %s',
  async (address) => {
    const { url } = await startServer()
    expect((await ask(url, address)).status).toBe(400)
  },
)

test('is off on a host that is not loopback, unless it is turned on', async () => {
  const host = { HOST: '0.0.0.0', API_KEYS: 'a-key-of-some-length' }
  const { url } = await startServer(host)
  const local = (it: string) => it.replace('0.0.0.0', '127.0.0.1')
  expect((await ask(local(url), newAddress())).status).toBe(404)
  const open = await startServer({ ...host, FAUCET_OPEN: 'true' })
  expect((await ask(local(open.url), newAddress())).status).toBe(201)
})

const dollar = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const pair = {
  registry: dollar,
  marketplace: dollar,
  forwarder: dollar,
  depositCode: dollar,
} as const

test('bounds the gifts of each client, of each account and of all, and begins anew each day', async () => {
  let now = Date.UTC(2030, 0, 1, 23)
  const given: string[] = []
  const handOut = async ({ to }: { readonly to: string }) => {
    given.push(to)
    return { txHash: '0x' } as const
  }
  const config = readConfig({ FAUCET_PER_DAY: '1' })
  const faucet = openFaucet({ handOut }, { contracts: { ...pair, dollar } }, config, () => now)
  const isGiven = (to: string, client: string) =>
    faucet?.give(account(to), client).then(
      () => true,
      (error: unknown) => !isFailure(error, 'request/too-many'),
    )
  const [ada, ben] = [newAddress(), newAddress()]
  expect(await isGiven(ada, 'one')).toBe(true)
  expect(await isGiven(ben, 'one')).toBe(false)
  expect(await isGiven(ada.toLowerCase(), 'two')).toBe(false)
  for (let other = 0; other < 30; other++) await isGiven(newAddress(), `client ${other}`)
  expect(given.length).toBe(20)
  now += 3_600_000
  expect(await isGiven(ada, 'one')).toBe(true)
})

test('there is none for another chain', () => {
  const key = `0x${'11'.repeat(32)}`
  const env = { RPC_URL: 'https://node.example', AGENT_PRIVATE_KEY: key, MASTER_KEYS: key }
  const handOut = async () => ({ txHash: '0x' }) as const
  const contracts = { ...pair, dollar } as const
  expect(openFaucet({ handOut }, { contracts }, readConfig(env))).toBeUndefined()
})

test('the zero address is refused at once, and holds no write up', async () => {
  const { url } = await startServer()
  const nobody = `0x${'0'.repeat(40)}`
  const replies = await Promise.all(Array.from({ length: 5 }, () => ask(`${url}`, nobody)))
  for (const reply of replies) {
    expect([reply.status, await reply.json()]).toMatchObject([400, { code: 'recipient/invalid' }])
  }
})
