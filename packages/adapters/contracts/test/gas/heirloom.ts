import { maxUint256, type TransactionReceipt } from 'viem'
import { type ContractHarness, openContractHarness } from '../contract-harness.ts'
import { floorOf, touches } from './floor.ts'
import { batchSize, bytesOf, type Gas, type Measure, meter, participants, terms } from './meter.ts'

const { creator, buyer, renter, forker, collector } = participants
const { price, rentPerDay, forkPrice, royaltyBps } = terms

/**
 * Measures every operation of the contracts, and computes the floors of those with a ceiling. Every
 * participant already owns a token, unless the name of the operation says "first".
 */
export async function measureHeirloom(): Promise<{ readonly gas: Gas; readonly floor: Gas }> {
  const harness = await openContractHarness()
  const { gas, receipts, measure } = meter(harness)
  gas['deploy the pair'] = Number(harness.deployment.gasUsed)
  await mint(harness, measure)
  await trade(harness, measure)
  await fork(harness, measure)
  const floor = await floorsOf(harness, receipts)
  await harness.close()
  return { gas, floor }
}

async function floorsOf(
  { client }: ContractHarness,
  receipts: ReadonlyMap<string, TransactionReceipt>,
): Promise<Gas> {
  const floor: Gas = {}
  for (const [operation, touched] of Object.entries(touches)) {
    const receipt = receipts.get(operation)
    if (!receipt) throw new Error(`${operation} was not measured.`)
    const { input } = await client.getTransaction({ hash: receipt.transactionHash })
    floor[operation] = Math.ceil(floorOf(touched, input, receipt) / (touched.tokens ?? 1))
  }
  return floor
}

async function mint({ registry }: ContractHarness, measure: Measure): Promise<void> {
  const owners = [collector, buyer, renter, forker, creator]
  for (const [seed, owner] of owners.entries()) {
    const item = [owner.address, bytesOf(seed), bytesOf(seed + 50), 0n] as const
    await measure('mint, the first of its owner', registry.write.mint(item, { account: owner }))
  }
  const item = [bytesOf(100), bytesOf(150), 0n] as const
  await measure('mint', registry.write.mint([creator.address, ...item], { account: creator }))
  await measure(
    'mint for another',
    registry.write.mint([buyer.address, ...item], { account: creator }),
  )
  await measure(
    'mint from a parent',
    registry.write.mint([creator.address, item[0], item[1], 6n], { account: creator }),
  )
  const items = Array.from({ length: batchSize }, (_, seed) => ({
    recipient: creator.address,
    contentHash: bytesOf(200 + seed),
    digest: bytesOf(400 + seed),
    parent: 0n,
  }))
  await measure(
    'mintBatch(100), per token',
    registry.write.mintBatch([items], { account: creator }),
    batchSize,
  )
}

const tokenId = 6n

async function trade({ registry, marketplace }: ContractHarness, measure: Measure): Promise<void> {
  const offer = [tokenId, price, rentPerDay, forkPrice, royaltyBps] as const
  await measure('list', marketplace.write.list(offer, { account: creator }))
  await measure(
    'list again',
    marketplace.write.list([tokenId, price, rentPerDay, forkPrice, 400n], { account: creator }),
  )
  const rent = { account: renter, value: rentPerDay * 7n }
  await measure('rent', marketplace.write.rent([tokenId, renter.address, 7n], rent))
  await measure('renew', marketplace.write.rent([tokenId, renter.address, 7n], rent))
  await measure(
    'royalty',
    marketplace.write.payRoyalty([tokenId], { account: renter, value: forkPrice }),
  )
  await measure(
    'buy, first sale',
    marketplace.write.buy([tokenId, buyer.address], { account: buyer, value: price }),
  )
  await measure('list, resale', marketplace.write.list(offer, { account: buyer }))
  const resale = { account: collector, value: price }
  await measure('buy, resale', marketplace.write.buy([tokenId, collector.address], resale))
  await measure('list, then take down', marketplace.write.list(offer, { account: collector }))
  await measure(
    'list, then take down',
    marketplace.write.list([tokenId, 0n, 0n, 0n, 0n], { account: collector }),
  )
  const transfer = [collector.address, buyer.address, tokenId] as const
  await measure('transferFrom', registry.write.transferFrom(transfer, { account: collector }))
}

async function fork({ registry, marketplace }: ContractHarness, measure: Measure): Promise<void> {
  const root = 8n
  const offer = [price, rentPerDay, forkPrice, royaltyBps] as const
  const payment = { account: forker, value: forkPrice }
  await measure('list', marketplace.write.list([root, ...offer], { account: creator }))
  await measure('fork', marketplace.write.fork([root, forker.address, maxUint256], payment))
  const child = await registry.read.totalSupply()
  await measure('list', marketplace.write.list([child, ...offer], { account: forker }))
  const secondPayment = { account: buyer, value: forkPrice }
  await measure(
    'fork of a fork',
    marketplace.write.fork([child, buyer.address, maxUint256], secondPayment),
  )
  await measure(
    'rent of a fork',
    marketplace.write.rent([child, renter.address, 7n], {
      account: renter,
      value: rentPerDay * 7n,
    }),
  )
  await measure(
    'buy of a fork',
    marketplace.write.buy([child, buyer.address], { account: buyer, value: price }),
  )
}
