import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createPublicClient,
  createWalletClient,
  getAddress,
  type Hex,
  http,
  toHex,
  zeroAddress,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Burn, burner, creationOf, type Face } from '../harness/chain/burners.ts'
import { copierAt, publicAccount } from '../harness/copier.ts'
import { encodeHeader, newWallet, requiredBy, type Shop, shopAt } from '../harness/payments/shop.ts'
import { memoryLimit, peakOf } from '../harness/process/memory-limit.ts'
import { post, type RunningServer, startServer } from '../harness/process/server.ts'
import { relayerAt } from '../harness/relayer.ts'
import { sealerAt } from '../harness/sealer.ts'
import { times } from '../tier.ts'

const gibibyte = 2 ** 30
/** The most memory that a server may take, in bytes, whatever strangers have run. */
const mostMemory = 700e6
const atOnce = times(16, 64)
const folder = mkdtempSync(join(tmpdir(), 'foreign-code-'))
const limit = memoryLimit(gibibyte)
const start = () => startServer({ DATA_DIR: folder }, process.env.HEIRLOOM_PROGRAM, limit)

let server: RunningServer
let shop: Shop
let relayer: Awaited<ReturnType<typeof relayerAt>>
let token: string
let salt = 0n

beforeAll(async () => {
  server = await start()
  shop = await shopAt(server.url)
  relayer = await relayerAt(server.url)
  token = await shop.offer({ rentalPricePerDay: '1000000' })
})
afterAll(async () => {
  await server.end('SIGKILL')
  limit.remove()
  rmSync(folder, { recursive: true })
})

const clientOf = (account: PrivateKeyAccount) =>
  createWalletClient({ account, chain: foundry, transport: http(`${server.url}/rpc`) })

/** Waits for a transaction, and returns the address of the contract that it made. */
async function mined(hash: Hex): Promise<Hex> {
  const chain = createPublicClient({ chain: foundry, transport: http(`${server.url}/rpc`) })
  const { contractAddress } = await chain.waitForTransactionReceipt({ hash, pollingInterval: 20 })
  return getAddress(contractAddress ?? zeroAddress)
}

async function deploy(face: Face, burn: Burn): Promise<Hex> {
  const data = creationOf(burner(face, burn))
  return mined(await clientOf(publicAccount(7)).sendTransaction({ data, gas: 150_000n }))
}

/** Gives an account the code of another one (EIP-7702). */
async function delegate(account: PrivateKeyAccount, address: Hex): Promise<void> {
  const client = clientOf(account)
  const authorization = await client.signAuthorization({
    contractAddress: address,
    executor: 'self',
  })
  const call = { to: account.address, authorizationList: [authorization], gas: 100_000n }
  await mined(await client.sendTransaction(call))
}

const nextSalt = () => {
  salt += 1n
  return toHex(salt, { size: 32 })
}
const later = () => String(Math.floor(Date.now() / 1000) + 600)
const orderOf = () => ({
  act: 'rent',
  tokenId: token,
  asset: shop.deployment.dollar.address,
  price: '1000000',
  recipient: newWallet().address,
  refundTo: newWallet().address,
  numberOfDays: '1',
  maxRoyaltyBps: '0',
  deadline: later(),
  salt: nextSalt(),
})
const signedBy = (payer: Hex) => ({
  payer,
  validAfter: '0',
  validBefore: later(),
  signature: '0x1234',
})

/** The doors through which a stranger has code run; each returns the status of the answer. */
const doors = {
  forward: async (wallet: Hex) => {
    const { registry } = relayer.deployment
    const { data } = relayer.mint(wallet, nextSalt())
    const call = { from: wallet, to: registry, value: '0', gas: '200000', data }
    const deadline = Math.floor(Date.now() / 1000) + 600
    return (await relayer.post({ request: { ...call, deadline, signature: nextSalt() } })).status
  },
  payOrder: async (wallet: Hex) =>
    (await relayer.post({ payOrder: { order: orderOf(), ...signedBy(wallet) } })).status,
  settle: async (wallet: Hex) => {
    const authorization = { ...signedBy(wallet), value: '1000000', nonce: nextSalt() }
    return (await relayer.post({ settle: { order: orderOf(), authorization } })).status
  },
  x402: async (wallet: Hex) => {
    const url = `${server.url}/api/x402/rent/${token}?recipient=${newWallet().address}&durationDays=1`
    const [accepted] = requiredBy(await fetch(url)).accepts
    const { payer: from, signature, ...times } = signedBy(wallet)
    const authorization = { from, to: accepted.payTo, value: accepted.amount, nonce: nextSalt() }
    const payload = { signature, authorization: { ...authorization, ...times } }
    const header = encodeHeader({ x402Version: 2, accepted, payload })
    return (await fetch(url, { headers: { 'payment-signature': header } })).status
  },
  seal: async (wallet: Hex) => {
    const creator = { address: wallet, signMessage: async () => `0x${'12'.repeat(66)}` as const }
    const sealer = await sealerAt(server.url, creator as unknown as PrivateKeyAccount)
    return (await sealer.seal(nextSalt())).status
  },
  rpc: async (wallet: Hex) => {
    const call = (method: string) => ({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: [{ from: shop.deployment.agent, to: wallet }],
    })
    const body = JSON.stringify([call('eth_call'), call('eth_estimateGas')])
    return (await post(server.url, '/rpc', body)).status
  },
}
type Door = keyof typeof doors

async function write(): Promise<void> {
  const memory = JSON.stringify({ data: { salt: nextSalt() }, metadata: { category: 'research' } })
  expect((await post(server.url, '/api/memory/snapshot', memory)).status).toBe(201)
}

/** The most writes beside an attack: each makes a block, which takes memory. */
const mostWrites = times(60, 300)

/** Writes until an attack is over, and returns how many writes were answered before. */
async function writesBeside(attack: Promise<unknown>): Promise<number> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  attack.then(end, end)
  let written = 0
  for (; !isOver && written < mostWrites; written += 1) await write()
  await attack
  return written
}

/** Returns the memory that the server took at most since the last call, in bytes. */
function takePeak(): number {
  const { pid } = server.process
  const peak = peakOf(pid)
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return peak
}

/** Contracts that are two-faced in each way, with dollars. */
async function deployAll(burn: Burn): Promise<readonly Hex[]> {
  const faces: readonly Face[] = [
    ...['always' as const, { origin: shop.deployment.agent }],
    ...[{ above: 60_000 }, { below: 130_000 }],
    { from: (await relayer.chain.getBlockNumber()) + 100n },
  ]
  const wallets: Hex[] = []
  for (const face of faces) wallets.push(await deploy(face, burn))
  for (const wallet of wallets) await shop.fund(wallet)
  return wallets
}

const knock = (door: Door, wallets: readonly Hex[], count: number, first = 0) =>
  Array.from({ length: count }, (_, index) =>
    doors[door](wallets[(first + index) % wallets.length] ?? zeroAddress),
  )

test.for(Object.keys(doors) as Door[])(
  'contracts that burn steps at the door %s take little memory, and let others write',
  async (door) => {
    const wallets = await deployAll('steps')
    takePeak()
    const answers = Promise.all(knock(door, wallets, atOnce))
    expect(await writesBeside(answers)).toBeGreaterThan(atOnce)
    for (const status of await answers) expect([200, 201, 402, 403, 409, 503]).toContain(status)
    expect(takePeak()).toBeLessThan(mostMemory)
  },
)

test('calls with much data at all doors, and code that fails at once, leave a server with 1 GiB alive', async () => {
  for (const burn of ['data', 'invalid', 'revert', 'huge return'] as const) {
    const wallets = await deployAll(burn)
    // Each wallet comes to half of the doors, or in the long tier to all of them.
    const count = times(3, 25)
    const all = (Object.keys(doors) as Door[]).flatMap((door, at) =>
      knock(door, wallets, count, at * count),
    )
    for (const status of await Promise.all(all)) expect(status).toBeLessThan(504)
  }
  expect(takePeak()).toBeLessThan(mostMemory)
  await write()
})

test('the memory that foreign code took is given back when it is answered', async () => {
  const wallet = await deploy('always', 'data')
  await shop.fund(wallet)
  takePeak()
  const before = takePeak()
  for (const [door, knockAt] of Object.entries(doors)) {
    await knockAt(wallet)
    const peak = takePeak()
    expect(peak - before).toBeGreaterThan(200e6)
    expect(peak, door).toBeLessThan(mostMemory)
    expect(takePeak() - before).toBeLessThan(100e6)
  }
  await mined(await clientOf(publicAccount(7)).sendTransaction({ to: wallet, gas: 150_000n }))
  expect(takePeak() - before).toBeGreaterThan(200e6)
  expect(takePeak() - before).toBeLessThan(100e6)
})

async function mintSealed(creator: PrivateKeyAccount): Promise<string> {
  const sealer = await sealerAt(server.url, creator)
  return sealer.mint(await sealer.seal(creator.address))
}

const forkAs = async (forker: PrivateKeyAccount, parent: string) =>
  (await copierAt(server.url, forker)).fork(parent)

/** Mints a token whose price is shared by the creators of all forks above it, who all sell it. */
async function offerFork(sellers: readonly PrivateKeyAccount[]): Promise<string> {
  let id = ''
  for (const seller of sellers) {
    const gift = { to: seller.address, value: 10n ** 18n }
    await mined(await clientOf(publicAccount(6)).sendTransaction(gift))
    id = id === '' ? await mintSealed(seller) : ((await forkAs(seller, id))[0] ?? '')
    const terms = relayer.onMarketplace('list', [BigInt(id), 1000n, 0n, 5n, 500n])
    await mined(await clientOf(seller).sendTransaction(terms))
  }
  return id
}

test.for(['steps', 'data'] as const)(
  'a purchase from sellers and creators who burn %s is refused',
  async (burn) => {
    const burning = await deploy('always', burn)
    const sellers = Array.from({ length: 5 }, newWallet)
    const id = await offerFork(sellers)
    for (const seller of sellers) await delegate(seller, burning)
    takePeak()
    const reply = await post(server.url, `/api/marketplace/buy/${id}`)
    expect(await reply.json()).toMatchObject({ code: 'transaction/gas-too-low' })
    expect(takePeak()).toBeLessThan(mostMemory)
    await write()
  },
)

test('a purchase pays two creators who burn all that they get, and their seller', async () => {
  const burning = await deploy('always', 'data')
  const [one = newWallet(), other = newWallet(), seller = newWallet()] = []
  const id = await offerFork([one, other, seller])
  for (const creator of [one, other]) await delegate(creator, burning)
  takePeak()
  expect((await post(server.url, `/api/marketplace/buy/${id}`)).status).toBe(201)
  expect(takePeak()).toBeLessThan(mostMemory)
})

/** Has the agent wallet fork a token again and again, and returns the last fork, which it offers. */
async function forkOnward(first: string, count: number): Promise<string> {
  let id = first
  for (let made = 0; made < count; made += 1) {
    const fork = await post(server.url, `/api/marketplace/fork/${id}`)
    id = ((await fork.json()) as { tokenId: string }).tokenId
    const terms = { tokenId: id, price: '1000', rentalPricePerDay: '0', forkPrice: '5' }
    await post(server.url, '/api/marketplace/list', JSON.stringify({ ...terms, forkRoyaltyBps: 0 }))
  }
  return id
}

test('the deepest fork is sold by and to a wallet and the server, also when its creators have code', async () => {
  const creator = newWallet()
  const id = await forkOnward(await offerFork(Array.from({ length: 9 }, () => creator)), 56)
  const buyer = publicAccount(5)
  const buy = relayer.onMarketplace('buy', [BigInt(id), buyer.address])
  await mined(await clientOf(buyer).sendTransaction({ ...buy, value: 1000n }))
  const terms = relayer.onMarketplace('list', [BigInt(id), 1000n, 0n, 5n, 500n])
  await mined(await clientOf(buyer).sendTransaction(terms))
  // It burns in a block that is far away.
  await delegate(creator, await deploy({ from: 2n ** 23n }, 'steps'))
  await mined(await clientOf(buyer).sendTransaction({ ...buy, value: 1000n }))
  await mined(await clientOf(buyer).sendTransaction(terms))
  expect((await post(server.url, `/api/marketplace/buy/${id}`)).status).toBe(201)
})

test('a server that is killed while it has such code starts again in 1 GiB, and goes on', async () => {
  const wallets = await deployAll('data')
  const requests = (Object.keys(doors) as Door[]).flatMap((door) => knock(door, wallets, 2))
  const answered = Promise.allSettled(requests)
  await write()
  await server.end('SIGKILL')
  await answered
  server = await start()
  await write()
  expect(takePeak()).toBeLessThan(mostMemory)
  const { status } = await fetch(`${server.url}/api/memory/${token}/info`)
  expect(status).toBe(200)
})
