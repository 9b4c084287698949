import { deployContracts } from '@heirloom/adapters/contracts'
import { encodeOrder } from '@heirloom/adapters/internal/orders'
import { sqliteJobStore } from '@heirloom/adapters/job-store'
import { viemLedger } from '@heirloom/adapters/ledger'
import { type Account, account, dollars, fromSeconds, hash, wei } from '@heirloom/core'
import { wallets } from '@heirloom/testkit'
import { createWalletClient, encodeFunctionData, type Hex, http, maxUint256, parseAbi } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { waitForTransactionReceipt } from 'viem/actions'
import { foundry } from 'viem/chains'
import { expect, onTestFinished, test } from 'vitest'
import { memoryMarketplaceAbi } from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { authorizationTypes } from '../../packages/adapters/src/ledger/orders/payment-authorization.ts'
import { relayActs } from '../../packages/http/src/server/relay-acts.ts'
import { sweepOrders } from '../../packages/http/src/server/x402/sweep-orders.ts'
import { startAnvil, testClient } from '../harness/chain/anvil.ts'
import { deployDollar, dollarsOf, handOutDollars } from '../harness/chain/order-payment.ts'
import { newWallet } from '../harness/payments/shop.ts'
import { clientOf } from '../harness/process/deployer.ts'

const [agent, seller] = wallets as unknown as readonly [PrivateKeyAccount, PrivateKeyAccount]

/** Opens a market on anvil, with a token of the seller for rent, and the relay of the agent. */
async function openMarket() {
  const anvil = await startAnvil()
  onTestFinished(() => anvil.stop())
  const [client, chain] = [clientOf(anvil), testClient(anvil)]
  for (const { address } of [agent, seller]) await chain.setBalance({ address, value: 10n ** 20n })
  const dollar = await deployDollar(client, agent)
  const contracts = await deployContracts({ chain: anvil.url, wallet: agent, dollar })
  const store = await sqliteJobStore(':memory:')
  onTestFinished(() => store.close())
  const ledger = await viemLedger({ chain: anvil.url, wallet: agent, contracts, store })
  onTestFinished(() => ledger.close())
  const own = await viemLedger({ chain: anvil.url, wallet: seller, contracts })
  onTestFinished(() => own.close())
  const content = hash(`0x${'5'.repeat(64)}`)
  const owner = account(seller.address)
  const pair = { contentHash: content, digest: content as never, parent: undefined }
  const { tokenId } = await own.mint({ ...pair, recipient: owner })
  const free = { price: wei(0n), rentalPricePerDay: wei(0n), forkPrice: wei(0n) }
  const prices = { price: dollars(0n), rentalPricePerDay: dollars(1000n), forkPrice: dollars(0n) }
  await own.list({ tokenId, ...free, forkRoyaltyBps: 0, dollars: prices })
  const { relay, orders } = ledger
  if (relay === undefined || orders === undefined) throw new Error('There is no relay.')
  return {
    anvil,
    client,
    chain,
    contracts: { ...contracts, dollar },
    store,
    relay,
    orders,
    tokenId,
  }
}

const rules = {
  gas: 500_000n,
  leastOrder: 1n,
  perAct: wei(10n ** 18n),
  perClient: undefined,
  perAccount: wei(10n ** 18n),
  perDay: wei(10n ** 18n),
}

test('what was paid for an order that failed in its block is given back by a sweep', async () => {
  const { anvil, client, chain, contracts, store, relay, orders, tokenId } = await openMarket()
  const [ada, eve] = [newWallet(), newWallet()]
  await chain.setBalance({ address: eve.address, value: 10n ** 18n })
  await handOutDollars({ client, contracts }, agent, [ada.address])
  const held = () => dollarsOf({ client, contracts }, ada.address)
  const before = await held()
  const order = encodeOrder({
    act: 'rent',
    tokenId,
    asset: contracts.dollar as Account,
    price: dollars(1000n),
    recipient: account(ada.address),
    days: 1,
    maxRoyaltyBps: 0,
    refundTo: undefined,
    deadline: fromSeconds(4_102_444_800),
    salt: `0x${'1'.repeat(64)}` as Hex,
  })
  const { deposit } = orders.locate(order)
  const authorization = {
    payer: account(ada.address),
    value: 1000n,
    validAfter: 0n,
    validBefore: maxUint256,
    nonce: `0x${'2'.repeat(64)}` as Hex,
  }
  const signature = await ada.signTypedData({
    domain: {
      name: 'Heirloom Test Dollar',
      version: '1',
      chainId: foundry.id,
      verifyingContract: contracts.dollar,
    },
    types: {
      TransferWithAuthorization: authorizationTypes.TransferWithAuthorization,
    },
    primaryType: 'TransferWithAuthorization',
    message: { ...authorization, from: ada.address, to: deposit },
  })
  const acts = relayActs(relay, { settings: rules })
  const one = { name: 'ada', key: undefined }

  await chain.setAutomine(false)
  const settlement = { order, authorization: { ...authorization, signature } }
  const sent = acts({ kind: 'settle', settlement }, one).catch((error) => error.code)
  await expect.poll(() => chain.getTxpoolStatus()).toMatchObject({ pending: 1 })
  // The seller sees it, and pays more to be first in the block.
  const transport = http(anvil.url.href)
  await createWalletClient({ account: seller, chain: foundry, transport }).sendTransaction({
    to: contracts.marketplace,
    data: encodeFunctionData({
      abi: memoryMarketplaceAbi,
      functionName: 'listInDollars',
      args: [tokenId, 0n, 2000n, 0n, 0n],
    }),
    gas: 200_000n,
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 11n,
  })
  await chain.setAutomine(true)
  await chain.mine({ blocks: 1 })
  expect(await sent).toBe('listing/price-changed')
  expect(await held()).toBe(before)

  // The payment is public now, and a thief makes it.
  const transfer = parseAbi([
    'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)',
  ])
  const { value, validAfter, validBefore, nonce } = authorization
  const hash = await createWalletClient({ account: eve, chain: foundry, transport }).writeContract({
    address: contracts.dollar,
    abi: transfer,
    functionName: 'transferWithAuthorization',
    args: [ada.address, deposit, value, validAfter, validBefore, nonce, signature],
  })
  await waitForTransactionReceipt(chain, { hash })
  expect(await held()).toBe(before - 1000n)

  const troubles: unknown[] = []
  const onTrouble = (error: unknown) => void troubles.push(error)
  // The server was down for a month meanwhile.
  const now = () => Date.now() + 30 * 86_400_000
  const parts = { orders, relay: acts, leastOrder: 1n, store, now, onTrouble }
  const sweep = sweepOrders(parts)
  onTestFinished(sweep.close)
  await expect.poll(held).toBe(before)
  expect(troubles).toEqual([])
})
