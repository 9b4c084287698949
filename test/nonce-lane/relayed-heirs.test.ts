import { deployContracts } from '@heirloom/adapters/contracts'
import { type ViemLedger, viemLedger } from '@heirloom/adapters/ledger'
import { account, type Hex } from '@heirloom/core'
import { wallets } from '@heirloom/testkit'
import { encodeFunctionData } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  forwarderAbi,
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import {
  domainOfForwarder,
  forwardRequestTypes,
} from '../../packages/adapters/src/ledger/relay/forward-request.ts'
import type { Relay, RelayOptions } from '../../packages/adapters/src/ledger/relay/relay.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { clientOf } from '../harness/process/deployer.ts'

const [agent] = wallets as unknown as readonly [PrivateKeyAccount]
const newAccount = () => privateKeyToAccount(generatePrivateKey())

let anvil: Anvil
let ledger: ViemLedger & { readonly relay: Relay }
let contracts: Awaited<ReturnType<typeof deployContracts>>
/** The time of the chain, in milliseconds; the relay goes by it. */
let now = Date.now()
beforeAll(async () => {
  anvil = await startAnvil()
  await testClient(anvil).setBalance({ address: agent.address, value: 10n ** 20n })
  contracts = await deployContracts({ chain: anvil.url, wallet: agent })
  const opened = await viemLedger({ chain: anvil.url, wallet: agent, contracts, now: () => now })
  if (opened.relay === undefined) throw new Error('There is no relay.')
  ledger = { ...opened, relay: opened.relay }
})
afterAll(async () => {
  await ledger.close()
  await anvil.stop()
})

const options: RelayOptions = { rules: { gas: 500_000n, leastOrder: 0n }, budgets: [] }

type Target = 'registry' | 'marketplace'
const abis = { registry: memoryRegistryAbi, marketplace: memoryMarketplaceAbi } as const

/** Lets the relay send a call that a wallet signs. */
async function act(
  wallet: PrivateKeyAccount,
  target: Target,
  functionName: string,
  args: readonly unknown[] = [],
) {
  const client = clientOf(anvil)
  const [chainId, { timestamp }] = await Promise.all([client.getChainId(), client.getBlock()])
  now = Number(timestamp) * 1000
  const forwarder = { address: contracts.forwarder, abi: forwarderAbi } as const
  const data: Hex = encodeFunctionData({ abi: abis[target], functionName, args } as never)
  const request = {
    from: account(wallet.address),
    to: account(contracts[target]),
    value: 0n,
    gas: 400_000n,
    deadline: Number(timestamp) + 600,
    data,
  }
  const nonce = await client.readContract({
    ...forwarder,
    functionName: 'nonces',
    args: [wallet.address],
  })
  const signature = await wallet.signTypedData({
    domain: domainOfForwarder(chainId, contracts.forwarder),
    types: forwardRequestTypes,
    primaryType: 'ForwardRequest',
    message: { ...request, nonce },
  })
  return ledger.relay.forward({ ...request, signature }, options)
}

const mint = async (wallet: PrivateKeyAccount, digit: string): Promise<bigint> => {
  const word = `0x${digit.repeat(64)}`
  const { tokenIds } = await act(wallet, 'registry', 'mint', [wallet.address, word, word, 0n])
  return tokenIds[0] ?? 0n
}
const ownerOf = (id: bigint) =>
  clientOf(anvil).readContract({
    address: contracts.registry,
    abi: memoryRegistryAbi,
    functionName: 'ownerOf',
    args: [id],
  })
const pass = (days: number) => testClient(anvil).increaseTime({ seconds: days * 86_400 })
const mine = () => testClient(anvil).mine({ blocks: 1 })

test('an heir without native money takes over after silence and notice, and not before', async () => {
  const [ada, heir, eve] = [newAccount(), newAccount(), newAccount()]
  const [first, second] = [await mint(ada, '1'), await mint(ada, '2')]
  await act(ada, 'registry', 'nameHeir', [heir.address, 30n, 30n])
  const early = act(heir, 'registry', 'announceTakeover', [ada.address])
  await expect(early).rejects.toMatchObject({ code: 'heir/not-silent' })
  await pass(29)
  await mine()
  expect(await act(ada, 'registry', 'heartbeat')).toMatchObject({ act: 'heartbeat' })
  await pass(31)
  await mine()
  const stranger = act(eve, 'registry', 'announceTakeover', [ada.address])
  await expect(stranger).rejects.toMatchObject({ code: 'heir/not-heir' })
  await act(heir, 'registry', 'announceTakeover', [ada.address])
  const rushed = act(heir, 'registry', 'takeOver', [ada.address, [first]])
  await expect(rushed).rejects.toMatchObject({ code: 'heir/too-early' })
  await pass(31)
  await mine()
  const both = [ada.address, [first, second]]
  expect(await act(heir, 'registry', 'takeOver', both)).toMatchObject({ act: 'takeOver' })
  expect([await ownerOf(first), await ownerOf(second)]).toEqual([heir.address, heir.address])
  const credit = act(heir, 'marketplace', 'takeOverCredit', [ada.address])
  await expect(credit).rejects.toMatchObject({ code: 'credit/none' })
})

test('one signature lists no more than one token', async () => {
  const ada = newAccount()
  const ids = [await mint(ada, '3'), await mint(ada, '4')]
  const offer = (tokenId: bigint) => ({
    tokenId,
    price: 5n,
    rentPerDay: 0n,
    forkPrice: 0n,
    royaltyBps: 0n,
    inDollars: false,
  })
  const many = act(ada, 'marketplace', 'listMany', [ids.map(offer)])
  await expect(many).rejects.toMatchObject({ code: 'relay/not-allowed' })
})
