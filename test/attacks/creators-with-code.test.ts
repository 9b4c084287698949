import { sqliteJobStore } from '@heirloom/adapters/job-store'
import { type Account, account, type MemoryService, toSeconds } from '@heirloom/core'
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
import { connect } from '../../packages/adapters/src/ledger/connection.ts'
import { sealHeaders } from '../../packages/http/test/seal-headers.ts'
import { sealingOver } from '../../packages/http/test/sealing-over.ts'
import { deployContract, walletContract } from '../harness/chain/contract-wallets.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import type { OpenHarness } from '../harness/chain/evm.ts'
import { yardstick } from '../harness/yardstick.ts'

const bundle = { data: { for: 'the owner' }, metadata: { category: 'research' } }
const [, ben, cleo, dan] = wallets
const stranger = privateKeyToAccount(generatePrivateKey())
const chainId = 31337

let world: OpenHarness
let url: string
let server: ReturnType<typeof app>
let store: Awaited<ReturnType<typeof sqliteJobStore>>
beforeAll(async () => {
  world = await openEmbeddedHarness()
  store = await sqliteJobStore(':memory:')
  const { agent, registry } = partyAt(0).ledger
  const service = world.services[0] as MemoryService
  server = app({
    service,
    sealing: sealingOver(store, { service, registry, clock: { now: world.now } }),
    config: { host: '127.0.0.1', apiKeys: [], bodyLimit: 2 ** 20 },
    deployment: {
      chainId,
      agent,
      registry: registry.address,
      marketplace: registry.address,
      forwarder: registry.address,
      depositCode: registry.address,
    },
    readiness: { chain: async () => undefined, storage: async () => undefined },
  })
  url = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await server.close()
  await store.close()
  await world.close()
})

const partyAt = (index: number) => world.parties[index] as OpenHarness['parties'][number]

type Sign = (message: string) => Promise<Hex>

let seals = 0

/** Asks for a seal in the name of an account, and returns the status with the code. */
async function seal(creator: Account, sign: Sign): Promise<readonly [number, string | undefined]> {
  const body = JSON.stringify({ ...bundle, data: { turn: seals++ } })
  const { registry } = partyAt(0).ledger
  const place = { host: new URL(url).host, chainId, registry: registry.address }
  const signMessage = ({ message }: { readonly message: string }) => sign(message)
  const timestamp = toSeconds(world.now())
  const headers = await sealHeaders({ address: creator, signMessage }, body, { place, timestamp })
  const reply = await fetch(`${url}/api/memory/seal`, { method: 'POST', headers, body })
  return [reply.status, ((await reply.json()) as { code?: string }).code]
}

const byAddress = (one: PrivateKeyAccount, other: PrivateKeyAccount) =>
  one.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1

/** Signs with several owners: the signatures one after the other. */
const signedBy =
  (...owners: readonly PrivateKeyAccount[]): Sign =>
  async (message) =>
    concat(
      await Promise.all(owners.toSorted(byAddress).map((owner) => owner.signMessage({ message }))),
    )

const noise: Sign = async () => `0x${'5a'.repeat(130)}`
const sealed = [201, undefined]
const busy = [503, 'service/busy']
const notSigned = [403, 'proof/not-signed']

/** Calls the address in the first 20 bytes of its input with the rest of it, for anyone. */
const router: Hex = '0x6014360380601460003760006000826000600060003560601c5af100'

describe('a creator with code', () => {
  test('proves itself by what its contract recognises, and by nothing else', async () => {
    const wallet = await world.sharedWallet([partyAt(1), partyAt(2)])
    expect(await seal(wallet, signedBy(ben, cleo))).toEqual(sealed)
    for (const sign of [signedBy(ben), signedBy(ben, stranger), noise]) {
      expect(await seal(wallet, sign)).toEqual(notSigned)
    }
  })

  test('is no public router, whoever signs', async () => {
    const address = await deployContract(world.chain, creationCode(router))
    for (const sign of [signedBy(ben), signedBy(dan, stranger), noise]) {
      expect(await seal(address, sign)).toEqual(notSigned)
    }
  })

  test('that is not deployed yet proves itself by its factory (ERC-6492)', async () => {
    const factoryContract = walletContract('SharedWalletFactory')
    const factory = await deployContract(world.chain, factoryContract.bytecode)
    const args = [[ben.address, cleo.address], 2n]
    const { abi, bytecode } = walletContract('SharedWallet')
    const initCode = encodeDeployData({ abi, bytecode, args })
    const [opcode, salt] = ['CREATE2', pad('0x0')] as const
    const create = { opcode, from: factory, salt, bytecode: initCode } as const
    const wallet = account(getContractAddress(create))
    const data = encodeFunctionData({ abi: factoryContract.abi, functionName: 'deploy', args })
    const wrapped =
      (sign: Sign): Sign =>
      async (message) =>
        serializeErc6492Signature({ address: factory, data, signature: await sign(message) })
    expect(await seal(wallet, wrapped(signedBy(ben, cleo)))).toEqual(sealed)
    expect(await seal(wallet, wrapped(signedBy(ben, stranger)))).toEqual(notSigned)
    expect(await seal(account(stranger.address), wrapped(signedBy(ben, cleo)))).toEqual(notSigned)
  })
})

describe('an account that delegates to code (EIP-7702)', () => {
  /** Returns a new account that delegates to a contract. */
  async function delegateTo(address: Hex): Promise<PrivateKeyAccount> {
    const delegator = privateKeyToAccount(generatePrivateKey())
    const authorization = await delegator.signAuthorization({ address, chainId, nonce: 0 })
    const client = connect(world.chain)
    const nonce = await client.getTransactionCount({ address: dan.address })
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, gas: 200_000n }
    const serializedTransaction = await dan.signTransaction({
      chainId,
      nonce,
      to: delegator.address,
      authorizationList: [authorization],
      ...fees,
      type: 'eip7702',
    })
    await client.sendRawTransaction({ serializedTransaction })
    expect(await client.getCode({ address: delegator.address })).toBe(
      concat(['0xef0100', address]).toLowerCase(),
    )
    return delegator
  }

  test('proves itself by that code, and not by its key alone', async () => {
    const { abi, bytecode } = walletContract('ContractWallet')
    const data = encodeDeployData({ abi, bytecode, args: [ben.address] })
    const delegator = await delegateTo(await deployContract(world.chain, data))
    const creator = account(delegator.address)
    expect(await seal(creator, signedBy(delegator))).toEqual(notSigned)
    expect(await seal(creator, signedBy(ben))).toEqual(sealed)
    expect(await seal(creator, signedBy(cleo))).toEqual(notSigned)
  })

  test('is no creator while it delegates to a public router', async () => {
    const delegator = await delegateTo(await deployContract(world.chain, creationCode(router)))
    expect(await seal(account(delegator.address), signedBy(delegator))).toEqual(notSigned)
  })
})

describe('contracts of strangers that never end', () => {
  test('are asked little, and take no time of the contract wallets at the gate', async () => {
    const { bytecode } = walletContract('EndlessWallet')
    const endless = await Promise.all(
      [bytecode, bytecode].map((it) => deployContract(world.chain, it)),
    )
    const wallet = await world.sharedWallet([partyAt(1), partyAt(2)])
    const { tokenId } = await (world.services[0] as MemoryService).snapshot({
      bundle,
      recipient: wallet,
    })
    const before = process.cpuUsage()
    const flood = Promise.all(
      Array.from({ length: 40 }, (_, at) => seal(endless[at % 2] ?? wallet, noise)),
    )
    const timestamp = toSeconds(world.now())
    const signature = await signedBy(ben, cleo)(`service:access:${tokenId}:${wallet}:${timestamp}`)
    const opened = await fetch(`${url}/api/memory/${tokenId}`, {
      headers: {
        'x-wallet-address': wallet,
        'x-wallet-signature': signature,
        'x-wallet-timestamp': `${timestamp}`,
      },
    })
    expect(opened.status).toBe(200)
    expect(await seal(account(stranger.address), signedBy(stranger))).toEqual(sealed)
    const answers = await flood
    for (const answer of answers) expect([notSigned, busy]).toContainEqual(answer)
    expect(answers.filter(([status]) => status === 503).length).toBeGreaterThan(30)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(600 * (await yardstick()))
  })
})
