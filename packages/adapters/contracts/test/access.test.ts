import { zeroAddress, zeroHash } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { actsOn, word } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'

const [creator, renter, owner, outsider] = [party(1), party(2), party(3), party(4)]

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>

beforeAll(async () => {
  harness = await openContractHarness()
  acts = actsOn(harness)
})

describe('the gate', () => {
  test('reads everything in one call', async () => {
    const { client, marketplace } = harness
    const parent = await acts.mint(outsider)
    const tokenId = await acts.mint(creator, owner.address, parent)
    await acts.list(owner, tokenId)
    const { blockNumber } = await acts.rent(renter, tokenId, 3n)
    const { timestamp } = await client.getBlock({ blockNumber })
    const record = [parent, word(7), word(8), timestamp, tokenId, creator.address]
    const expected = [owner.address, creator.address, timestamp + 3n * 86_400n, ...record]
    expect(await marketplace.read.accessOf([tokenId, renter.address])).toEqual(expected)
    const [, , never] = await marketplace.read.accessOf([tokenId, outsider.address])
    expect(never).toBe(0n)
  })

  test('reads the content of a fork from its source', async () => {
    const parent = await acts.mint(creator)
    await acts.list(creator, parent)
    const fork = await acts.fork(renter, parent)
    const [holder, by, , from, contentHash, digest] = await harness.marketplace.read.accessOf([
      fork,
      renter.address,
    ])
    const expected = [renter.address, renter.address, parent, word(7), word(8)]
    expect([holder, by, from, contentHash, digest]).toEqual(expected)
  })

  test('reads the source at the end of the licensed forks, and ignores declared parents', async () => {
    const sourceOf = async (id: bigint) =>
      (await harness.marketplace.read.accessOf([id, outsider.address])).slice(7)
    const declared = await acts.mint(creator, owner.address, await acts.mint(outsider))
    expect(await sourceOf(declared)).toEqual([declared, creator.address])
    let fork = declared
    for (const holder of [owner, renter, owner]) {
      await acts.list(holder, fork)
      fork = await acts.fork(holder === owner ? renter : owner, fork)
      expect(await sourceOf(fork)).toEqual([declared, creator.address])
    }
    const child = await acts.mint(outsider, renter.address, fork)
    expect(await sourceOf(child)).toEqual([child, outsider.address])
  })

  test('always gets an answer', async () => {
    const { timestamp } = await harness.client.getBlock()
    for (const tokenId of [0n, 1_000_000n, 2n ** 256n - 1n]) {
      const answer = await harness.marketplace.read.accessOf([tokenId, renter.address])
      const nothing = [zeroAddress, zeroAddress, 0n, 0n, zeroHash, zeroHash]
      expect(answer).toEqual([...nothing, timestamp, 0n, zeroAddress])
    }
  })
})
