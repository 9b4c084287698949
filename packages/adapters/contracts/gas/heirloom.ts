import { maxUint256, type TransactionReceipt } from 'viem'
import { openStage, type Stage } from '../contract-harness.ts'
import { floorOf, touches } from './floor.ts'
import { batchSize, bytesOf, cast, type Gas, meter, type Spend, terms } from './meter.ts'

const { creator, buyer, renter, forker, collector } = cast
const { price, rentPerDay, forkPrice, royaltyBps } = terms

/**
 * Measures every operation of the pair and computes the floors of those with a ceiling. Unless named first, whoever
 * takes part already owns a token.
 */
export async function measureHeirloom(): Promise<{ readonly gas: Gas; readonly floor: Gas }> {
  const stage = await openStage()
  const { gas, receipts, spend } = meter(stage)
  gas['deploy the pair'] = Number(stage.deployment.gasUsed)
  await mint(stage, spend)
  await trade(stage, spend)
  await fork(stage, spend)
  const floor = await floorsOf(stage, receipts)
  await stage.close()
  return { gas, floor }
}

async function floorsOf(
  { client }: Stage,
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

async function mint({ registry }: Stage, spend: Spend): Promise<void> {
  const owners = [collector, buyer, renter, forker, creator]
  for (const [seed, owner] of owners.entries()) {
    const item = [owner.address, bytesOf(seed), bytesOf(seed + 50), 0n] as const
    await spend('mint, the first of its owner', registry.write.mint(item, { account: owner }))
  }
  const item = [bytesOf(100), bytesOf(150), 0n] as const
  await spend('mint', registry.write.mint([creator.address, ...item], { account: creator }))
  await spend(
    'mint for another',
    registry.write.mint([buyer.address, ...item], { account: creator }),
  )
  await spend(
    'mint from a parent',
    registry.write.mint([creator.address, item[0], item[1], 6n], { account: creator }),
  )
  const items = Array.from({ length: batchSize }, (_, seed) => ({
    recipient: creator.address,
    contentHash: bytesOf(200 + seed),
    digest: bytesOf(400 + seed),
    parent: 0n,
  }))
  await spend(
    'mintBatch(100), per token',
    registry.write.mintBatch([items], { account: creator }),
    batchSize,
  )
}

const token = 6n

async function trade({ registry, marketplace }: Stage, spend: Spend): Promise<void> {
  const offer = [token, price, rentPerDay, forkPrice, royaltyBps] as const
  await spend('list', marketplace.write.list(offer, { account: creator }))
  await spend(
    'list again',
    marketplace.write.list([token, price, rentPerDay, forkPrice, 400n], { account: creator }),
  )
  const rent = { account: renter, value: rentPerDay * 7n }
  await spend('rent', marketplace.write.rent([token, renter.address, 7n], rent))
  await spend('renew', marketplace.write.rent([token, renter.address, 7n], rent))
  await spend(
    'royalty',
    marketplace.write.payRoyalty([token], { account: renter, value: forkPrice }),
  )
  await spend(
    'buy, first sale',
    marketplace.write.buy([token, buyer.address], { account: buyer, value: price }),
  )
  await spend('list, resale', marketplace.write.list(offer, { account: buyer }))
  const resale = { account: collector, value: price }
  await spend('buy, resale', marketplace.write.buy([token, collector.address], resale))
  await spend('list, then take down', marketplace.write.list(offer, { account: collector }))
  await spend(
    'list, then take down',
    marketplace.write.list([token, 0n, 0n, 0n, 0n], { account: collector }),
  )
  const move = [collector.address, buyer.address, token] as const
  await spend('transferFrom', registry.write.transferFrom(move, { account: collector }))
}

async function fork({ registry, marketplace }: Stage, spend: Spend): Promise<void> {
  const root = 8n
  const offer = [price, rentPerDay, forkPrice, royaltyBps] as const
  const taking = { account: forker, value: forkPrice }
  await spend('list', marketplace.write.list([root, ...offer], { account: creator }))
  await spend('fork', marketplace.write.fork([root, forker.address, maxUint256], taking))
  const child = await registry.read.totalSupply()
  await spend('list', marketplace.write.list([child, ...offer], { account: forker }))
  const copying = { account: buyer, value: forkPrice }
  await spend('fork of a fork', marketplace.write.fork([child, buyer.address, maxUint256], copying))
  await spend(
    'rent of a fork',
    marketplace.write.rent([child, renter.address, 7n], {
      account: renter,
      value: rentPerDay * 7n,
    }),
  )
  await spend(
    'buy of a fork',
    marketplace.write.buy([child, buyer.address], { account: buyer, value: price }),
  )
}
