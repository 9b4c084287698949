import { deployContracts } from '@heirloom/adapters/contracts'
import { type ViemLedger, viemLedger } from '@heirloom/adapters/ledger'
import { account, type Hex, hash, nobody, orderActs } from '@heirloom/core'
import { wallets } from '@heirloom/testkit'
import { encodeFunctionData, hashTypedData, maxUint256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileSolidity } from '../../packages/adapters/contracts/solidity.ts'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { authorizationTypes } from '../../packages/adapters/src/ledger/orders/authorization-types.ts'
import { depositAddress } from '../../packages/adapters/src/ledger/orders/deposit-address.ts'
import {
  type EncodedOrder,
  orderTypes,
} from '../../packages/adapters/src/ledger/orders/encode-order.ts'
import type { Relay, RelayOptions } from '../../packages/adapters/src/ledger/relay/relay.ts'
import { sendOnce } from '../../packages/adapters/src/ledger/send-once.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { deployContract, sharedWallet } from '../harness/chain/contract-wallets.ts'
import { clientOf } from '../harness/process/deployer.ts'

const [agent, seller, ada, eve] = wallets as unknown as readonly [
  PrivateKeyAccount,
  PrivateKeyAccount,
  PrivateKeyAccount,
  PrivateKeyAccount,
]
const { abi: dollarAbi, bytecode } = compileSolidity(['test/dollars/AwkwardDollar.sol'])
  .AwkwardDollar as { readonly abi: readonly object[]; readonly bytecode: Hex }

let anvil: Anvil
let ledger: ViemLedger & { readonly relay: Relay }
let contracts: Awaited<ReturnType<typeof deployContracts>>
let dollar: Hex
beforeAll(async () => {
  anvil = await startAnvil()
  for (const { address } of wallets)
    await testClient(anvil).setBalance({ address, value: 10n ** 20n })
  dollar = await deployContract(anvil.url, bytecode, seller)
  contracts = await deployContracts({ chain: anvil.url, wallet: agent, dollar })
  const opened = await viemLedger({ chain: anvil.url, wallet: agent, contracts })
  if (opened.relay === undefined) throw new Error('There is no relay.')
  ledger = { ...opened, relay: opened.relay }
  for (const { address } of wallets) await onDollar('faucet', [address, 10n ** 12n])
})
afterAll(async () => {
  await ledger.close()
  await anvil.stop()
})

const options: RelayOptions = { rules: { gas: 500_000n, leastOrder: 10_000n }, budgets: [] }
const client = () => clientOf(anvil)
const send = (to: Hex, data: Hex, wallet = seller) =>
  sendOnce({ client: client(), wallet }, { operation: 'test', to, data })
const onDollar = (functionName: string, args: readonly unknown[], wallet = seller) =>
  send(dollar, encodeFunctionData({ abi: dollarAbi, functionName, args } as never), wallet)
const onMarket = (functionName: string, args: readonly unknown[]) =>
  send(
    contracts.marketplace,
    encodeFunctionData({ abi: memoryMarketplaceAbi, functionName, args } as never),
  )
const dollarsOf = async (holder: Hex) =>
  (await client().readContract({
    ...{ address: dollar, abi: dollarAbi, functionName: 'balanceOf', args: [holder] },
  } as never)) as bigint

const price = 1_000_000n
let count = 0

/** Mints a token of the seller that is for sale, rent and fork in dollars. */
async function listed(): Promise<bigint> {
  const word: Hex = `0x${`${++count}`.padStart(64, '7')}`
  const args = [seller.address, word, word, 0n]
  const { logs } = await send(
    contracts.registry,
    encodeFunctionData({ abi: memoryRegistryAbi, functionName: 'mint', args } as never),
  )
  const id = BigInt(logs.at(-1)?.topics[1] ?? logs[0]?.topics[1] ?? 0)
  await onMarket('listInDollars', [id, price, price, price, 500n])
  return id
}

const orderOf = (tokenId: bigint, more: Partial<EncodedOrder> = {}): EncodedOrder => ({
  ...{ act: orderActs.indexOf('buy'), tokenId, asset: account(dollar), price },
  ...{ recipient: account(ada.address), numberOfDays: 0n, maxRoyaltyBps: 0n },
  ...{ refundTo: account(ada.address), deadline: maxUint256 },
  salt: `0x${`${++count}`.padStart(64, '0')}`,
  ...more,
})

const hashOf = async (order: EncodedOrder) => {
  const chainId = await client().getChainId()
  const domain = { name: 'Heirloom Marketplace', version: '1', chainId } as const
  const verifyingContract = contracts.marketplace
  const typed = { domain: { ...domain, verifyingContract }, types: orderTypes }
  return hash(hashTypedData({ ...typed, primaryType: 'Order', message: order }))
}

const domainOfDollar = async () => ({
  ...{ name: 'Heirloom Test Dollar', version: '1', verifyingContract: dollar },
  chainId: await client().getChainId(),
})

const always = { validAfter: 0n, validBefore: maxUint256 }

async function payment(order: EncodedOrder, signer = ada, from: Hex = signer.address) {
  const nonce = await hashOf(order)
  const signature = await signer.signTypedData({
    ...{ domain: await domainOfDollar(), types: authorizationTypes },
    primaryType: 'ReceiveWithAuthorization',
    message: { from, to: contracts.marketplace, value: order.price, ...always, nonce },
  })
  return { order, payer: account(from), ...always, signature }
}

async function authorization(order: EncodedOrder, value = order.price, signer = ada) {
  const to = depositAddress(await hashOf(order), contracts)
  const nonce: Hex = `0x${`${++count}`.padStart(64, '9')}`
  const from = signer.address
  const signature = await signer.signTypedData({
    ...{ domain: await domainOfDollar(), types: authorizationTypes },
    primaryType: 'TransferWithAuthorization',
    message: { from, to, value, ...always, nonce },
  })
  return { payer: account(from), value, ...always, nonce, signature }
}

const nonceOfAgent = () => client().getTransactionCount({ address: agent.address })
const ownerOf = async (tokenId: bigint) =>
  client().readContract({
    ...{ address: contracts.registry, abi: memoryRegistryAbi },
    ...{ functionName: 'ownerOf', args: [tokenId] },
  })

test('an order is paid once, however often it is relayed, and pays for its recipient alone', async () => {
  const id = await listed()
  const before = { ada: await dollarsOf(ada.address), agent: await dollarsOf(agent.address) }
  const paid = await payment(orderOf(id))
  const first = await ledger.relay.payOrder(paid, options)
  expect(first).toMatchObject({ act: 'buy' })
  const nonce = await nonceOfAgent()
  expect(await ledger.relay.payOrder(paid, options)).toEqual(first)
  // Other bytes that mean the same order find it closed.
  const again = ledger.relay.payOrder({ ...paid, validBefore: maxUint256 - 1n }, options)
  await expect(again).rejects.toMatchObject({ code: 'order/closed' })
  expect(await nonceOfAgent()).toBe(nonce)
  expect(await ownerOf(id)).toBe(ada.address)
  expect(await dollarsOf(ada.address)).toBe(before.ada - price)
  expect(await dollarsOf(agent.address)).toBe(before.agent)
})

test('an order for a fork and one for a rental return what they made', async () => {
  const id = await listed()
  const fork = orderOf(id, { act: orderActs.indexOf('fork'), maxRoyaltyBps: 500n })
  const forked = await ledger.relay.payOrder(await payment(fork), options)
  expect(forked).toMatchObject({ act: 'fork', tokenIds: [expect.any(BigInt)] })
  const rent = orderOf(id, { act: orderActs.indexOf('rent'), numberOfDays: 3n, price: 3n * price })
  const rented = await ledger.relay.payOrder(await payment(rent), options)
  expect(Number(rented.expiresAt)).toBeGreaterThan(Date.now() + 2 * 86_400_000)
})

test('an order that was paid at its address is settled once, and the surplus comes back', async () => {
  const id = await listed()
  const order = orderOf(id)
  const before = await dollarsOf(ada.address)
  const settlement = { order, authorization: await authorization(order, 3n * price) }
  const first = await ledger.relay.settle(settlement, options)
  expect(first).toMatchObject({ act: 'buy' })
  expect(await ledger.relay.settle(settlement, options)).toEqual(first)
  await expect(ledger.relay.settle({ order }, options)).rejects.toMatchObject({
    code: 'order/closed',
  })
  expect(await dollarsOf(ada.address)).toBe(before - price)
  expect(await ownerOf(id)).toBe(ada.address)
})

test('a contract wallet pays an order with its own signature (ERC-1271)', async () => {
  const id = await listed()
  const safe = await sharedWallet(anvil.url, [account(eve.address)])
  await onDollar('faucet', [safe, price])
  const order = orderOf(id, { recipient: safe, refundTo: safe })
  await ledger.relay.payOrder(await payment(order, eve, safe), options)
  expect(await ownerOf(id)).toBe(safe)
  expect(await dollarsOf(safe)).toBe(0n)
})

describe('an order that fails is named, and costs nothing', () => {
  const refused = (attempt: Promise<unknown>): Promise<unknown> =>
    attempt.then(
      () => 'done',
      (error: unknown) => error,
    )
  test.each<[string, string, (id: bigint) => Promise<unknown>]>([
    [
      'of the signature of another',
      'dollar/refused',
      async (id) => {
        const paid = await payment(orderOf(id), eve, ada.address)
        return ledger.relay.payOrder(paid, options)
      },
    ],
    [
      'of a payment for another order',
      'dollar/refused',
      async (id) => {
        const { signature } = await payment(orderOf(id))
        return ledger.relay.payOrder({ ...(await payment(orderOf(id))), signature }, options)
      },
    ],
    [
      'of another marketplace',
      'order/foreign-asset',
      async (id) =>
        ledger.relay.payOrder(await payment(orderOf(id, { asset: account(eve.address) })), options),
    ],
    [
      'at less than the least price',
      'relay/underpriced',
      async (id) => ledger.relay.payOrder(await payment(orderOf(id, { price: 9_999n })), options),
    ],
    [
      'past its deadline',
      'order/expired',
      async (id) => ledger.relay.payOrder(await payment(orderOf(id, { deadline: 1n })), options),
    ],
    [
      'that nobody paid',
      'order/short',
      async (id) => ledger.relay.settle({ order: orderOf(id) }, options),
    ],
    [
      'of a payer with too little',
      'dollar/refused',
      async (id) => {
        const order = orderOf(id, { price: 10n ** 15n })
        return ledger.relay.payOrder(await payment(order), options)
      },
    ],
    [
      'that could be refunded to nobody',
      'recipient/invalid',
      async (id) => {
        const order = orderOf(id, { recipient: nobody, refundTo: nobody })
        return ledger.relay.settle({ order }, options)
      },
    ],
    [
      'that could be refunded to a contract of the pair alone',
      'recipient/invalid',
      async (id) => {
        const order = orderOf(id, { refundTo: account(contracts.marketplace) })
        return ledger.relay.settle({ order }, options)
      },
    ],
  ])('%s: %s', async (_, code, attempt) => {
    const id = await listed()
    const nonce = await nonceOfAgent()
    expect(await refused(attempt(id))).toMatchObject({ code })
    expect(await nonceOfAgent()).toBe(nonce)
  })

  test('after the price changed, with both prices in dollars', async () => {
    const id = await listed()
    const paid = await payment(orderOf(id))
    await onMarket('listInDollars', [id, 2n * price, price, price, 500n])
    expect(await refused(ledger.relay.payOrder(paid, options))).toMatchObject({
      ...{ code: 'listing/price-changed' },
      facts: { price: 2n * price, offered: price, currency: 'dollar' },
    })
    await onMarket('list', [id, price, price, price, 500n])
    expect(await refused(ledger.relay.payOrder(paid, options))).toMatchObject({
      code: 'listing/currency-changed',
    })
  })

  test('while the dollar is paused or blocks the payer; then the same payment is made', async () => {
    const id = await listed()
    const paid = await payment(orderOf(id))
    await onDollar('pause', [true])
    const nonce = await nonceOfAgent()
    expect(await refused(ledger.relay.payOrder(paid, options))).toMatchObject({
      ...{ code: 'dollar/refused' },
      facts: { reason: expect.stringMatching(/^it reverts with 0x\w{8}$/) },
    })
    await onDollar('pause', [false])
    await onDollar('blockAccount', [ada.address, true])
    expect(await refused(ledger.relay.payOrder(paid, options))).toMatchObject({
      code: 'dollar/refused',
    })
    await onDollar('blockAccount', [ada.address, false])
    expect(await nonceOfAgent()).toBe(nonce)
    await ledger.relay.payOrder(paid, options)
    expect(await ownerOf(id)).toBe(ada.address)
  })
})

test('a payment that fails only in its block costs its gas once, and is never sent again', async () => {
  const id = await listed()
  const [paid, faster] = [await payment(orderOf(id)), await payment(orderOf(id), eve)]
  const before = await dollarsOf(ada.address)
  await testClient(anvil).setAutomine(false)
  const sent = refusedCode(ledger.relay.payOrder(paid, options))
  await expect.poll(() => testClient(anvil).getTxpoolStatus()).toMatchObject({ pending: 1 })
  const args = [faster.order, faster.payer, 0n, maxUint256, faster.signature]
  const data = encodeFunctionData({
    ...{ abi: memoryMarketplaceAbi, functionName: 'payOrder', args },
  } as never)
  const nonce = await client().getTransactionCount({ address: eve.address })
  const chainId = await client().getChainId()
  const raw = await eve.signTransaction({
    ...{ to: contracts.marketplace, data, gas: 900_000n, nonce, chainId, type: 'eip1559' },
    ...{ maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n },
  })
  await client().sendRawTransaction({ serializedTransaction: raw })
  await testClient(anvil).setAutomine(true)
  await testClient(anvil).mine({ blocks: 1 })
  expect(await sent).toBe('listing/not-for-sale')
  expect(await dollarsOf(ada.address)).toBe(before)
  const nonceBefore = await nonceOfAgent()
  expect(await refusedCode(ledger.relay.payOrder(paid, options))).toBe('listing/not-for-sale')
  expect(await nonceOfAgent()).toBe(nonceBefore)
})

const refusedCode = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (error: { readonly code: string }) => error.code,
  )
