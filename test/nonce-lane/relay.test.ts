import { deployContracts } from '@heirloom/adapters/contracts'
import { viemLedger } from '@heirloom/adapters/ledger'
import { account, type Hex, wei } from '@heirloom/core'
import { wallets } from '@heirloom/testkit'
import { createWalletClient, encodeFunctionData, http } from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import type { PrivateKeyAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  forwarderAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import {
  domainOfForwarder,
  type ForwardRequest,
  forwardRequestTypes,
} from '../../packages/adapters/src/ledger/relay/forward-request.ts'
import { type RelayOptions, relayBudget } from '../../packages/adapters/src/ledger/relay/relay.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { clientOf } from '../harness/process/deployer.ts'
import {
  authenticator,
  deployPasskeyFactory,
  webAuthnOwner,
} from '../harness/smart-wallets/passkey.ts'
import type { Signing } from '../harness/smart-wallets/smart-wallet-harness.ts'
import { walletChainAt } from '../harness/smart-wallets/wallet-chain.ts'

const [agent, second, ada, ben] = wallets as unknown as readonly [
  PrivateKeyAccount,
  PrivateKeyAccount,
  PrivateKeyAccount,
  PrivateKeyAccount,
]

let anvil: Anvil
let contracts: Awaited<ReturnType<typeof deployContracts>>
beforeAll(async () => {
  anvil = await startAnvil()
  for (const { address } of wallets)
    await testClient(anvil).setBalance({ address, value: 10n ** 20n })
  contracts = await deployContracts({ chain: anvil.url, wallet: agent })
})
afterAll(() => anvil.stop())

async function openRelay(wallet: PrivateKeyAccount) {
  const ledger = await viemLedger({ chain: anvil.url, wallet, contracts })
  onTestFinished(() => ledger.close())
  if (ledger.relay === undefined) throw new Error('There is no relay.')
  return { ...ledger, relay: ledger.relay }
}

const registry = (functionName: 'mint' | 'transferFrom', args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: memoryRegistryAbi, functionName, args } as never)

async function sign(wallet: Signing, data: Hex): Promise<ForwardRequest> {
  const { chainId, timestamp } = await readChain()
  const forwarder = { address: contracts.forwarder, abi: forwarderAbi } as const
  const [functionName, args] = ['nonces', [wallet.address]] as const
  const nonce = await clientOf(anvil).readContract({ ...forwarder, functionName, args })
  const request = {
    from: account(wallet.address),
    to: account(contracts.registry),
    value: 0n,
    gas: 300_000n,
    deadline: timestamp + 600,
    data,
  }
  const signature = await wallet.signTypedData({
    domain: domainOfForwarder(chainId, contracts.forwarder),
    types: forwardRequestTypes,
    primaryType: 'ForwardRequest',
    message: { ...request, nonce },
  })
  return { ...request, signature }
}

async function readChain() {
  const client = clientOf(anvil)
  const [chainId, { timestamp }] = await Promise.all([client.getChainId(), client.getBlock()])
  return { chainId, timestamp: Number(timestamp) }
}

const options: RelayOptions = {
  rules: { gas: 500_000n, leastOrder: 0n },
  budgets: [{ name: relayBudget('account', 'ada') }, { name: relayBudget('server') }],
}

const mintOf = (wallet: PrivateKeyAccount, digit: string) =>
  registry('mint', [wallet.address, `0x${digit.repeat(64)}`, `0x${digit.repeat(64)}`, 0n])

test('a call that fails only in its block costs its gas once, and is never sent again', async () => {
  const { relay, spentInName } = await openRelay(agent)
  const minted = await relay.forward(await sign(ada, mintOf(ada, '1')), options)
  const id = minted.tokenIds[0] ?? 0n
  const spent = () => spentInName(relayBudget('account', 'ada'))
  const spentBefore = await spent()
  const request = await sign(ada, registry('transferFrom', [ada.address, ben.address, id]))
  const nonce = () => clientOf(anvil).getTransactionCount({ address: agent.address })
  const before = await nonce()

  await testClient(anvil).setAutomine(false)
  const sent = relay.forward(request, options).then(
    () => 'done',
    (error: { readonly code: string }) => error.code,
  )
  await expect.poll(() => testClient(anvil).getTxpoolStatus()).toMatchObject({ pending: 1 })
  // The account acts by itself, and pays more to be first in the block.
  const direct = createWalletClient({
    account: ada,
    chain: foundry,
    transport: http(anvil.url.href),
  })
  await direct.sendTransaction({
    to: contracts.registry,
    data: registry('transferFrom', [ada.address, second.address, id]),
    gas: 200_000n,
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 11n,
  })
  await testClient(anvil).setAutomine(true)
  await testClient(anvil).mine({ blocks: 1 })
  const code = await sent
  expect(['relay/failed', 'token/not-owner']).toContain(code)
  expect(await nonce()).toBe(before + 1)
  expect(await spent()).toBeGreaterThan(spentBefore)

  await expect(relay.forward(request, options)).rejects.toMatchObject({ code })
  expect(await nonce()).toBe(before + 1)
})

test('two servers with different wallets carry out a request once', async () => {
  const relays = [(await openRelay(agent)).relay, (await openRelay(second)).relay]
  const request = await sign(ben, mintOf(ben, '2'))
  const supply = () =>
    clientOf(anvil).readContract({
      address: contracts.registry,
      abi: memoryRegistryAbi,
      functionName: 'totalSupply',
    })
  const before = await supply()
  const results = await Promise.allSettled(relays.map((relay) => relay.forward(request, options)))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await supply()).toBe(before + 1n)
})

test('a batch returns every token, and an act beyond the limit of one act is refused', async () => {
  const { relay } = await openRelay(agent)
  const item = (digit: string) => ({
    recipient: ada.address,
    contentHash: `0x${digit.repeat(64)}`,
    digest: `0x${digit.repeat(64)}`,
    parent: 0n,
  })
  const data = encodeFunctionData({
    abi: memoryRegistryAbi,
    functionName: 'mintBatch',
    args: [[item('3'), item('4')]],
  } as never)
  const batch = await relay.forward(await sign(ada, data), options)
  expect([batch.act, batch.tokenIds.length]).toEqual(['mintBatch', 2])
  const budget = { name: relayBudget('account', 'ada'), perCall: wei(1n) }
  const poor: RelayOptions = { ...options, budgets: [budget] }
  await expect(relay.forward(await sign(ada, mintOf(ada, '5')), poor)).rejects.toMatchObject({
    code: 'relay/too-costly',
    facts: { limit: 1n },
  })
})

test('the account of a passkey is deployed before its first act', async () => {
  const chain = walletChainAt(anvil.url.origin, ada, '/')
  await deployPasskeyFactory(chain)
  const { relay } = await openRelay(agent)
  const owners = [webAuthnOwner(authenticator())]
  const it = await toCoinbaseSmartAccount({ client: chain.client, owners, version: '1' })
  const wallet: Signing = {
    address: it.address,
    signMessage: (input) => it.signMessage(input),
    signTypedData: (data) => it.signTypedData(data as never),
  }
  const hash = `0x${'8'.repeat(64)}`
  const request = await sign(wallet, registry('mint', [it.address, hash, hash, 0n]))
  const codeOf = () => chain.client.getCode({ address: it.address })
  expect(await codeOf()).toBe(undefined)
  expect(await relay.forward(request, options)).toMatchObject({ act: 'mint' })
  expect(await codeOf()).not.toBe(undefined)
})
