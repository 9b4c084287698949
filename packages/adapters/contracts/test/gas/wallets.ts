import { type Address, encodeFunctionData, type Hex } from 'viem'
import { memoryMarketplaceAbi, memoryRegistryAbi } from '../../../src/ledger/contracts.generated.ts'
import { type ContractHarness, openContractHarness } from '../contract-harness.ts'
import { type Order, act as orderActs, ordersOn } from '../orders.ts'
import { requestsOn } from '../requests.ts'
import { bytesOf, type Gas, type Measure, meter, participants } from './meter.ts'

const { creator, buyer, renter, forker, collector } = participants
const [price, rentPerDay, forkPrice] = [1_500_000n, 15_000n, 150_000n]
const prices = [price, rentPerDay, forkPrice, 500n] as const
const days = 86_400n

/** Measures what a wallet does that has no native money, or an heir. */
export async function measureWallets(): Promise<Gas> {
  const harness = await openContractHarness()
  const { gas, measure } = meter(harness)
  const { dollar, mined, registry } = harness
  for (const { address } of Object.values(participants)) {
    await mined(dollar.write.faucet([address, 10n ** 12n], { account: collector }))
  }
  const owners = [creator, creator, creator, creator, buyer, renter, forker]
  for (const [seed, { address }] of owners.entries()) {
    const item = [address, bytesOf(seed), bytesOf(seed + 50), 0n] as const
    await mined(registry.write.mint(item, { account: creator }))
  }
  await dollars(harness, measure)
  await relayed(harness, measure)
  await heirs(harness, measure)
  await harness.close()
  return gas
}

async function dollars(harness: ContractHarness, measure: Measure): Promise<void> {
  const { marketplace, dollar, mined } = harness
  const { order: orderOf, payment, authorize, deposit } = ordersOn(harness)
  const list = (tokenId: bigint, account = creator) =>
    marketplace.write.listInDollars([tokenId, ...prices], { account })
  await measure('list in dollars', list(1n))
  for (const tokenId of [2n, 3n]) await mined(list(tokenId))
  const pay = async (payer: typeof creator, order: Order) =>
    marketplace.write.payOrder(await payment(payer, order), { account: collector })
  const settle = async (payer: typeof creator, order: Order) =>
    marketplace.write.settle([order, await authorize(payer, order)], { account: collector })
  const rent = { act: orderActs.rent, price: 7n * rentPerDay, numberOfDays: 7n } as const
  const fork = { act: orderActs.fork, price: forkPrice, maxRoyaltyBps: 10_000n } as const
  const royalty = { act: orderActs.royalty, price: 1_000n } as const
  const named = (tokenId: bigint, { address: recipient }: typeof creator) => ({
    tokenId,
    recipient,
  })
  await measure('rent by payOrder', pay(renter, orderOf({ ...named(1n, renter), ...rent })))
  await measure('fork by payOrder', pay(forker, orderOf({ ...named(1n, forker), ...fork })))
  await measure('royalty by payOrder', pay(buyer, orderOf({ ...named(1n, buyer), ...royalty })))
  await measure('buy by payOrder', pay(buyer, orderOf({ ...named(1n, buyer), price })))
  await measure('buy by settle', settle(buyer, orderOf({ ...named(2n, buyer), price })))
  const over = orderOf({ ...named(3n, buyer), price, refundTo: renter.address })
  await deposit(buyer, over, 1_000n)
  await measure('buy by settle, with an excess', settle(buyer, over))
  const back = orderOf({ ...named(4n, buyer), price })
  await deposit(buyer, back)
  await measure(
    'refund, the first from its address',
    marketplace.write.refund([back, dollar.address], { account: buyer }),
  )
  await deposit(buyer, back)
  await measure('refund', marketplace.write.refund([back, dollar.address], { account: buyer }))
}

async function relayed(harness: ContractHarness, measure: Measure): Promise<void> {
  const { forwarder, marketplace, registry } = harness
  const request = requestsOn(harness)
  const relay = async (to: Address, data: Hex) => {
    const signed = await request(creator, to, data)
    return forwarder.write.execute([signed], { account: collector })
  }
  const onRegistry = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: memoryRegistryAbi, functionName, args } as never)
  const item = [creator.address, bytesOf(100), bytesOf(150), 0n] as const
  // The first request of an account writes its number of requests.
  await harness.mined(relay(registry.address, onRegistry('heartbeat', [])))
  await measure('mint, relayed', relay(registry.address, onRegistry('mint', item)))
  const tokenId = await registry.read.totalSupply()
  const args = [tokenId, ...prices] as const
  const data = encodeFunctionData({
    abi: memoryMarketplaceAbi,
    functionName: 'listInDollars',
    args,
  })
  await measure('list in dollars, relayed', relay(marketplace.address, data))
  const transfer = [creator.address, buyer.address, tokenId]
  await measure(
    'transferFrom, relayed',
    relay(registry.address, onRegistry('transferFrom', transfer)),
  )
}

async function heirs(
  { client, mineAt, registry }: ContractHarness,
  measure: Measure,
): Promise<void> {
  const wait = async (seconds: bigint) => mineAt((await client.getBlock()).timestamp + seconds)
  const by = { account: creator }
  // A sign of life within the second of the last one changes nothing and costs 2,800 gas less.
  await wait(1n)
  await measure('nameHeir', registry.write.nameHeir([buyer.address, 30n, 30n], by))
  await wait(1n)
  await measure('heartbeat', registry.write.heartbeat(by))
  await wait(30n * days)
  await measure(
    'announceTakeover',
    registry.write.announceTakeover([creator.address], { account: buyer }),
  )
  await wait(30n * days)
  const args = [creator.address, [4n]] as const
  await measure('takeOver of one token', registry.write.takeOver(args, { account: buyer }))
}
