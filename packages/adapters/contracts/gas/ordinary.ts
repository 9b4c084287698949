import type { Abi, Account, Hex } from 'viem'
import { compileSolidity } from '../solidity.ts'
import { openStage } from '../contract-harness.ts'
import { bytesOf, cast, type Gas, meter, terms } from './meter.ts'

const { creator, buyer, renter, forker, collector } = cast
const { price, rentPerDay, forkPrice, royaltyBps } = terms

// A transaction may burn at most 2^24 gas, which is fewer than 100 of these.
const batchSize = 50

/** Measures the same operations of the contract that an ordinary project would write. */
export async function measureOrdinary(): Promise<Gas> {
  const stage = await openStage()
  const { gas, spend } = meter(stage)
  const write = await writerOf(stage)
  const uriOf = (seed: number) => `v2:ipfs://${bytesOf(seed)}`
  const owners = [collector, buyer, renter, forker, creator, creator]
  for (const [seed, owner] of owners.entries()) {
    await spend('mint', write(owner, 'mint', [owner.address, bytesOf(seed), uriOf(seed), 0n]))
  }
  const seeds = Array.from({ length: batchSize }, (_, seed) => seed)
  const batch = [creator.address, seeds.map(bytesOf), seeds.map(uriOf)]
  await spend('mintBatch(50), per token', write(creator, 'mintBatch', batch), batchSize)
  await spend('list', write(creator, 'list', [6n, price, rentPerDay, forkPrice, royaltyBps]))
  await spend('rent', write(renter, 'rent', [6n, 7n], rentPerDay * 7n))
  await spend('renew', write(renter, 'rent', [6n, 7n], rentPerDay * 7n))
  await spend('fork', write(forker, 'fork', [6n], forkPrice))
  await spend('royalty', write(renter, 'payRoyalty', [6n], forkPrice))
  await spend('buy, first sale', write(buyer, 'buy', [6n], price))
  await spend('list, resale', write(buyer, 'list', [6n, price, rentPerDay, forkPrice, royaltyBps]))
  await spend('buy, resale', write(collector, 'buy', [6n], price))
  await stage.close()
  return gas
}

type Write = (
  account: Account,
  functionName: string,
  args: readonly unknown[],
  value?: bigint,
) => Promise<Hex>

async function writerOf(stage: Awaited<ReturnType<typeof openStage>>): Promise<Write> {
  const { OrdinaryMemory } = compileSolidity(['test/yardstick/OrdinaryMemory.sol'])
  if (!OrdinaryMemory) throw new Error('OrdinaryMemory was not compiled.')
  const address = await stage.deploy(OrdinaryMemory)
  const abi: Abi = OrdinaryMemory.abi
  return (account, functionName, args, value = 0n) =>
    stage.client.writeContract({ address, abi, functionName, args, account, value })
}
