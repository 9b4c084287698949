import { encodeFunctionData, type PrivateKeyAccount } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { actsOn } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { refusalOf } from './refusal.ts'

const [creator, thief, buyer] = [party(1), party(2), party(3)]
const price = 1_000_000n
const deepest = 64

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>

beforeAll(async () => {
  harness = await openContractHarness()
  acts = actsOn(harness)
})

/** Mints a token that can be forked for 1 wei under a royalty. */
async function rootAt(royaltyBps: bigint): Promise<bigint> {
  const root = await acts.mint(creator)
  await acts.list(creator, root, { forkPrice: 1n, royaltyBps })
  return root
}

/** Lets an account fork its own token for 1 wei, which it pays to itself. */
async function forkOwn(
  owner: PrivateKeyAccount,
  tokenId: bigint,
  royaltyBps: bigint,
): Promise<bigint> {
  await acts.list(owner, tokenId, { forkPrice: 1n, royaltyBps })
  return acts.fork(owner, tokenId)
}

/** Sells a token and returns what another account earns from the sale. */
async function earningsFrom(
  seller: PrivateKeyAccount,
  tokenId: bigint,
  of: PrivateKeyAccount,
): Promise<bigint> {
  await acts.list(seller, tokenId, { price })
  const before = await harness.client.getBalance(of)
  await acts.buy(buyer, tokenId)
  return (await harness.client.getBalance(of)) - before
}

describe('a creator keeps the share of each price', () => {
  test('when the fork is forked by its owner for 1 wei and no royalty', async () => {
    const child = await acts.fork(thief, await rootAt(1_000n))
    const stripped = await forkOwn(thief, child, 0n)
    expect(await earningsFrom(thief, stripped, creator)).toBe(100_000n)
  })

  test('with nine forks at 10,000 basis points in between', async () => {
    let tokenId = await acts.fork(thief, await rootAt(500n))
    for (let fork = 0; fork < 9; fork += 1) tokenId = await forkOwn(thief, tokenId, 10_000n)
    expect(await earningsFrom(thief, tokenId, creator)).toBe(50_000n)
  })

  test('when two claims exceed the price: the older is paid in full, the younger gets the rest', async () => {
    const child = await acts.fork(thief, await rootAt(6_000n))
    await acts.list(thief, child, { forkPrice: 1n, royaltyBps: 6_000n })
    const grandchild = await acts.fork(buyer, child)
    const split = await harness.marketplace.read.royaltySplitOf([grandchild, price])
    expect(split).toEqual([[creator.address, thief.address], [600_000n, 400_000n], 0n])
  })
})

test('no chain of forks makes an access check expensive, and each chain is bounded', async () => {
  let tokenId = await rootAt(0n)
  let forks = 0
  const simulateFork = async () => {
    const attempt = { account: creator, value: 1n }
    await harness.marketplace.simulate.fork([tokenId, creator.address, 0n], attempt)
  }
  const isRefused = () =>
    simulateFork().then(
      () => false,
      () => true,
    )
  const canBeForked = async () => (await harness.marketplace.read.listingOf([tokenId]))[7]
  while (forks < 650 && !(await isRefused())) {
    expect(await canBeForked()).toBe(true)
    tokenId = await forkOwn(creator, tokenId, 0n)
    await acts.list(creator, tokenId, { forkPrice: 1n })
    forks += 1
  }
  const { address: to, abi } = harness.marketplace
  const call = { abi, functionName: 'accessOf', args: [tokenId, creator.address] } as const
  const data = encodeFunctionData(call)
  const gas = await harness.client.estimateGas({ account: creator, to, data })
  expect(gas).toBeLessThan(300_000n)
  expect([forks, await canBeForked()]).toEqual([deepest, false])
  expect(await refusalOf(simulateFork())).toEqual({ name: 'LineageTooDeep', facts: [tokenId, 64n] })
})

describe.for([
  ['milliseconds', 1_000n],
  ['microseconds', 1_000_000n],
] as const)('on a chain that counts %s', ([, ticks]) => {
  // Several makers: an odd address would hide an overflow into its lowest bit.
  const makers = Array.from({ length: 8 }, (_, index) => party(index + 4))

  test('creator, owner, parent and licence are stored exactly', async () => {
    const otherChain = await openContractHarness()
    const { fork, list, mint } = actsOn(otherChain)
    await otherChain.dateNextBlock(1_900_000_000n * ticks)
    let parent = await mint(creator)
    const recordOf = async () => {
      const [by, timestamp, from, licence, , , owner] = await otherChain.registry.read.recordOf([
        parent,
      ])
      expect(timestamp).toBeLessThan(2n ** 40n)
      return [by, owner, from, licence]
    }
    expect(await recordOf()).toEqual([creator.address, creator.address, 0n, 0n])
    let seller = creator
    for (const maker of makers) {
      await list(seller, parent, { forkPrice: 1n, royaltyBps: 700n })
      const child = await fork(maker, parent)
      const expected = [maker.address, maker.address, parent, 701n]
      ;[seller, parent] = [maker, child]
      expect(await recordOf()).toEqual(expected)
    }
    await otherChain.close()
  })
})
