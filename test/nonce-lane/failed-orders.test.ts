import { nobody } from '@heirloom/core'
import { encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryMarketplaceAbi } from '../../packages/adapters/src/ledger/contracts.generated.ts'
import type { RelayOptions } from '../../packages/adapters/src/ledger/relay/relay.ts'
import { testClient } from '../harness/chain/anvil.ts'
import {
  ada,
  type DollarRelay,
  eve,
  openDollarRelay,
  price,
  seller,
} from '../harness/chain/dollar-relay.ts'

let chain: DollarRelay
beforeAll(async () => {
  chain = await openDollarRelay()
})
afterAll(() => chain.close())

const options: RelayOptions = { rules: { gas: 500_000n, leastOrder: 10_000n }, budgets: [] }

/** In place of an authorization: what is at the address of an order must do. */
const unsigned = {
  payer: nobody,
  value: 0n,
  validAfter: 0n,
  validBefore: 0n,
  nonce: `0x${'0'.repeat(64)}`,
  signature: '0x',
}

/** Lets a faster transaction of another account enter the block for which the relay sent an order. */
async function overtake(
  sent: () => Promise<string>,
  { signer, data }: { readonly signer: typeof eve; readonly data: Hex },
): Promise<string> {
  const test = testClient(chain.anvil)
  await test.setAutomine(false)
  const result = sent()
  await expect.poll(() => test.getTxpoolStatus()).toMatchObject({ pending: 1 })
  const nonce = await chain.client.getTransactionCount({ address: signer.address })
  const chainId = await chain.client.getChainId()
  const raw = await signer.signTransaction({
    to: chain.contracts.marketplace,
    data,
    gas: 900_000n,
    nonce,
    chainId,
    type: 'eip1559',
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 11n,
  })
  await chain.client.sendRawTransaction({ serializedTransaction: raw })
  await test.setAutomine(true)
  await test.mine({ blocks: 1 })
  return result
}

const encodeCall = (functionName: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi: memoryMarketplaceAbi, functionName, args } as never)

test('a payment that fails only in its block costs its gas once, and is not sent while it would fail', async () => {
  const id = await chain.listed()
  const [paid, faster] = [
    await chain.payment(chain.orderOf(id)),
    await chain.payment(chain.orderOf(id), eve),
  ]
  const before = await chain.dollar.balanceOf(ada.address)
  const args = [faster.order, faster.payer, 0n, maxUint256, faster.signature]
  const data = encodeCall('payOrder', args)
  const sent = () => refusedCode(chain.relay.payOrder(paid, options))
  expect(await overtake(sent, { signer: eve, data })).toBe('listing/not-for-sale')
  expect(await chain.dollar.balanceOf(ada.address)).toBe(before)
  const nonceBefore = await chain.nonceOfAgent()
  expect(await sent()).toBe('listing/not-for-sale')
  expect(await chain.nonceOfAgent()).toBe(nonceBefore)
})

test('a payment that failed in its block is made once the terms are those of its order again', async () => {
  const id = await chain.listed()
  const paid = await chain.payment(chain.orderOf(id))
  const before = await chain.dollar.balanceOf(ada.address)
  const data = encodeCall('listInDollars', [id, 2n * price, price, price, 500n])
  const sent = () => refusedCode(chain.relay.payOrder(paid, options))
  expect(await overtake(sent, { signer: seller, data })).toBe('listing/price-changed')
  await chain.onMarket('listInDollars', [id, price, price, price, 500n])
  expect([await sent(), await sent()]).toEqual(['done', 'done'])
  expect(await chain.ownerOf(id)).toBe(ada.address)
  expect(await chain.dollar.balanceOf(ada.address)).toBe(before - price)
})

test('an order that was given up here, and carried out by somebody else, is one of nobody here', async () => {
  const id = await chain.listed()
  const order = chain.orderOf(id)
  const { hash, deposit } = await chain.placeOf(order)
  await chain.dollar.send('faucet', [deposit, price])
  const data = encodeCall('listInDollars', [id, 2n * price, price, price, 500n])
  const relist = () => chain.onMarket('listInDollars', [id, price, price, price, 500n])
  const settle = () => refusedCode(chain.relay.settle({ order }, options))
  for (let attempt = 0; attempt < 8; attempt++) {
    expect(await overtake(settle, { signer: seller, data })).toBe('listing/price-changed')
    await relist()
  }
  const nonce = await chain.nonceOfAgent()
  expect([await settle(), await chain.nonceOfAgent()]).toEqual(['listing/price-changed', nonce])
  await chain.onMarket('settle', [order, unsigned])
  expect(await chain.stateOf(hash)).toBe(1)
  expect(await chain.relay.settled(order)).toBeUndefined()
})

const refusedCode = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (error: { readonly code: string }) => error.code,
  )
