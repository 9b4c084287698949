import { type Account, account, type TokenId, wei } from '@heirloom/core'
import { app } from '@heirloom/http'
import { wallets } from '@heirloom/testkit'
import {
  concat,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  pad,
  serializeErc6492Signature,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creationCode } from '../../packages/adapters/src/embedded-chain/test/transactions.ts'
import { deployContract, walletContract } from '../harness/chain/contract-wallets.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import type { OpenHarness } from '../harness/chain/evm.ts'
import { leastTime, processorTime, yardstick } from '../harness/yardstick.ts'

const bundle = { data: { for: 'the owner' }, metadata: { category: 'research' } }
const document = JSON.stringify(bundle)
const [, ben, cleo] = wallets
const stranger = privateKeyToAccount(generatePrivateKey())

let world: OpenHarness
let url: string
let server: ReturnType<typeof app>
beforeAll(async () => {
  world = await openEmbeddedHarness()
  const agent = partyAt(0).ledger.agent
  server = app({
    service: serviceOf(0),
    config: { host: '127.0.0.1', apiKeys: [], bodyLimit: 2 ** 20 },
    deployment: { chainId: 31337, ...pairOf(world), agent },
    readiness: { chain: async () => undefined, storage: async () => undefined },
  })
  url = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await server.close()
  await world.close()
})

const partyAt = (index: number) => world.parties[index] as OpenHarness['parties'][number]
const serviceOf = (index: number) => world.services[index] as OpenHarness['services'][number]
const pairOf = ({ contracts }: OpenHarness) => ({
  registry: account(contracts.registry),
  marketplace: account(contracts.marketplace),
  forwarder: account(contracts.forwarder),
  depositCode: account(contracts.depositCode),
})

/** Mints a token that a wallet owns. */
async function ownedBy(recipient: Account): Promise<TokenId> {
  return (await serviceOf(0).snapshot({ bundle, recipient })).tokenId
}

/** Mints a token that a wallet rents. */
async function rentedBy(recipient: Account): Promise<TokenId> {
  const { tokenId } = await serviceOf(0).snapshot({ bundle })
  const free = { price: wei(0n), forkPrice: wei(0n), forkRoyaltyBps: 0 }
  await serviceOf(0).list({ tokenId, ...free, rentalPricePerDay: wei(1n) })
  await serviceOf(0).rent({ tokenId, days: 1, recipient })
  return tokenId
}

type Sign = (message: string) => Promise<Hex>

/** Downloads a memory as a wallet, and returns the status with the code or the body. */
async function download(
  id: TokenId,
  wallet: Account,
  sign: Sign,
): Promise<readonly [number, string]> {
  const timestamp = Math.floor(world.now() / 1000)
  const reply = await fetch(`${url}/api/memory/${id}`, {
    headers: {
      'x-wallet-address': wallet,
      'x-wallet-signature': await sign(`service:access:${id}:${wallet}:${timestamp}`),
      'x-wallet-timestamp': `${timestamp}`,
    },
  })
  const text = await reply.text()
  return [reply.status, reply.ok ? text : (JSON.parse(text) as { code: string }).code]
}

const byAddress = (one: PrivateKeyAccount, other: PrivateKeyAccount) =>
  one.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1

/** Signs for a wallet with several owners: the signatures one after the other. */
const signedBy =
  (...owners: readonly PrivateKeyAccount[]): Sign =>
  async (message) =>
    concat(
      await Promise.all(owners.toSorted(byAddress).map((owner) => owner.signMessage({ message }))),
    )

const sharedBy = () => world.sharedWallet([partyAt(1), partyAt(2)])
const noise =
  (bytes: number): Sign =>
  async () =>
    `0x${'5a'.repeat(bytes)}`
const opened = [200, document]
const busy = [503, 'service/busy']
const notSigned = [403, 'proof/not-signed']

describe('a wallet of two owners', () => {
  test.each([
    ['owns', ownedBy],
    ['rents', rentedBy],
  ])('opens what it %s with the signatures of both', async (_, make) => {
    const wallet = await sharedBy()
    expect(await download(await make(wallet), wallet, signedBy(ben, cleo))).toEqual(opened)
  })

  test('is refused with signatures of others, or of one owner alone', async () => {
    const wallet = await sharedBy()
    const id = await ownedBy(wallet)
    const bad = [signedBy(ben), signedBy(ben, ben), signedBy(ben, stranger), noise(130), noise(66)]
    for (const sign of bad) expect(await download(id, wallet, sign)).toEqual(notSigned)
    const other: Sign = () => signedBy(ben, cleo)('service:access:1:someone:1')
    expect(await download(id, wallet, other)).toEqual(notSigned)
  })

  test('is refused without a right, and for a token that does not exist', async () => {
    const wallet = await sharedBy()
    const id = await ownedBy(stranger.address as Account)
    expect(await download(id, wallet, signedBy(ben, cleo))).toEqual([403, 'access/denied'])
    const none = 99_999n as TokenId
    expect(await download(none, wallet, signedBy(ben, cleo))).toEqual([404, 'token/not-found'])
  })

  test('verifies signatures of up to 8 KiB; longer ones are malformed', async () => {
    const wallet = await sharedBy()
    const id = await ownedBy(wallet)
    expect(await download(id, wallet, noise(8192))).toEqual(notSigned)
    expect(await download(id, wallet, noise(8193))).toEqual([403, 'proof/malformed'])
  })
})

describe('a wallet of one owner', () => {
  test('opens what it owns with a signature of 65 bytes', async () => {
    const { abi, bytecode } = walletContract('ContractWallet')
    const data = encodeDeployData({ abi, bytecode, args: [ben.address] })
    const wallet = await deployContract(world.chain, data)
    const id = await ownedBy(wallet)
    expect(await download(id, wallet, signedBy(ben))).toEqual(opened)
    expect(await download(id, wallet, signedBy(cleo))).toEqual(notSigned)
    // An account without code is checked before the token, so its error comes first.
    const none = 99_999n as TokenId
    expect(await download(none, account(cleo.address), signedBy(ben))).toEqual(notSigned)
  })
})

describe('a wallet that is not deployed yet', () => {
  /** Returns the address of a wallet that is not deployed, and a function that wraps its signatures. */
  async function counterfactualWallet() {
    const factoryContract = walletContract('SharedWalletFactory')
    const factory = await deployContract(world.chain, factoryContract.bytecode)
    const args = [[ben.address, cleo.address], 2n]
    const { abi, bytecode } = walletContract('SharedWallet')
    const initCode = encodeDeployData({ abi, bytecode, args })
    const salt = pad('0x0')
    const from = { opcode: 'CREATE2', from: factory, salt, bytecode: initCode } as const
    const data = encodeFunctionData({ abi: factoryContract.abi, functionName: 'deploy', args })
    const wrapped =
      (sign: Sign): Sign =>
      async (message) =>
        serializeErc6492Signature({ address: factory, data, signature: await sign(message) })
    const call = { from: wallets[3].address, to: factory, data }
    return { wallet: account(getContractAddress(from)), wrapped, call }
  }

  test.each([
    ['owns', ownedBy],
    ['rents', rentedBy],
  ])('opens what it %s (ERC-6492)', async (_, make) => {
    const { wallet, wrapped } = await counterfactualWallet()
    const id = await make(wallet)
    expect(await download(id, wallet, wrapped(signedBy(ben, cleo)))).toEqual(opened)
    expect(await download(id, wallet, wrapped(signedBy(ben, stranger)))).toEqual(notSigned)
    expect(await download(id, wallet, signedBy(ben, cleo))).toEqual(notSigned)
  })

  test('does not open what another account owns', async () => {
    const { wrapped } = await counterfactualWallet()
    const owner = account(stranger.address)
    const id = await ownedBy(owner)
    expect(await download(id, owner, wrapped(signedBy(ben, cleo)))).toEqual(notSigned)
  })
})

/** The median ignores rounds with a garbage collection, or with work left from another test. */
const medianOf = (times: readonly number[]): number | undefined =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]

const ending = creationCode('0x33ff')
const bombs = [
  ['loops', () => walletContract('EndlessWallet').bytecode],
  ['answers 200,000 bytes', () => walletContract('BabblingWallet').bytecode],
  ['refuses with 200,000 bytes', () => walletContract('WordyRefusal').bytecode],
  ['reverts', () => walletContract('RefusingWallet').bytecode],
  ['destroys itself', () => ending],
] as const

describe('a contract that', () => {
  test.each(bombs)('%s opens nothing', async (_, code) => {
    const wallet = await deployContract(world.chain, code())
    const id = await ownedBy(wallet)
    expect(await download(id, wallet, noise(65).bind(undefined))).toEqual([403, 'proof/malformed'])
    for (const sign of [signedBy(ben), noise(130)]) {
      expect(await download(id, wallet, sign)).toEqual(notSigned)
    }
  })

  test.each(bombs)('%s costs no more than another without a right', async (_, code) => {
    const [hostile, harmless] = [code(), creationCode('0x00')]
    const id = await ownedBy(account(stranger.address))
    const deniedTo = (wallet: Account) => async () => {
      for (const sign of [signedBy(ben), noise(130)]) {
        expect(await download(id, wallet, sign)).toEqual([403, 'access/denied'])
      }
    }
    const denied = [
      deniedTo(await deployContract(world.chain, hostile)),
      deniedTo(await deployContract(world.chain, harmless)),
    ]
    const times: number[][] = denied.map(() => [])
    for (const ask of denied) await ask()
    // In turn, so that a busy machine slows both.
    for (const [which, ask] of Array.from({ length: 21 }, () => [...denied.entries()]).flat()) {
      times[which]?.push(await processorTime(ask))
    }
    const [median, usual] = times.map(medianOf) as [number, number]
    expect(median).toBeLessThan(2 * usual)
  })

  test('loops is asked little, however often somebody names it', async () => {
    const wallet = await deployContract(world.chain, walletContract('EndlessWallet').bytecode)
    const id = await ownedBy(wallet)
    const memory = process.memoryUsage().rss
    let answers: (readonly [number, string])[] = []
    const spent = await processorTime(async () => {
      answers = await Promise.all(
        Array.from({ length: 40 }, () => download(id, wallet, noise(130))),
      )
    })
    const grown = process.memoryUsage().rss - memory
    for (const answer of answers) expect([notSigned, busy]).toContainEqual(answer)
    expect(answers.filter(([status]) => status === 503).length).toBeGreaterThan(20)
    // Each of the few calls that run takes about 50 ms; without a gas limit one took ten times that.
    expect(spent).toBeLessThan(1200 * (await yardstick()))
    expect(grown).toBeLessThan(300 * 2 ** 20)
  })

  test('never ends as a factory opens nothing', async () => {
    const factory = await deployContract(world.chain, walletContract('EndlessFactory').bytecode)
    const { abi } = walletContract('EndlessFactory')
    const data = encodeFunctionData({ abi, functionName: 'deploy' })
    const bomb: Sign = async (message) =>
      serializeErc6492Signature({ address: factory, data, signature: await signedBy(ben)(message) })
    const owner = account(privateKeyToAccount(generatePrivateKey()).address)
    const id = await ownedBy(owner)
    const spent = await processorTime(async () => {
      expect(await download(id, owner, bomb)).toEqual(notSigned)
    })
    // It ends by its gas, after about 100 times the yardstick.
    expect(spent).toBeLessThan(600 * (await yardstick()))
  })

  test('never ends as a factory is not called for an account that has sent transactions', async () => {
    const sender = account(wallets[0].address)
    const id = await ownedBy(sender)
    const factory = await deployContract(world.chain, walletContract('EndlessFactory').bytecode)
    const wrapped: Sign = async (message) =>
      serializeErc6492Signature({
        address: factory,
        data: '0x775c300c',
        signature: await signedBy(ben)(message),
      })
    const spent = await leastTime(async () => {
      expect(await download(id, sender, wrapped)).toEqual(notSigned)
    })
    expect(spent).toBeLessThan(60 * (await yardstick()))
  })
})
