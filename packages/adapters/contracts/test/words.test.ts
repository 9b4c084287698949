import { type Address, concatHex, type Hex, keccak256, pad, toHex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { everyOffer, word } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { ordersOn } from './orders.ts'

const [creator, friend] = [party(1), party(2)]
const day = 86_400n

let harness: ContractHarness

beforeAll(async () => {
  harness = await openContractHarness()
})

/** Returns where a mapping stores the value of a key. */
const slotOf = (key: Hex, slot: Hex) => keccak256(concatHex([pad(key), slot]))

async function storedAt(address: Address, slot: Hex): Promise<bigint> {
  return BigInt((await harness.client.getStorageAt({ address, slot })) ?? 0n)
}

const holderOf = (account: Address) => storedAt(harness.registry.address, slotOf(account, word(1)))
const inheritanceOf = (account: Address) =>
  storedAt(harness.registry.address, slotOf(account, word(4)))

test('terms in dollars have bit 254', async () => {
  const tokenId = await ordersOn(harness).listed(creator)
  const { price, rentPerDay, forkPrice, royaltyBps } = everyOffer
  const slot = slotOf(toHex(0), slotOf(toHex(tokenId), word(3)))
  expect(await storedAt(harness.marketplace.address, slot)).toBe(
    (1n << 254n) | (price << 174n) | (rentPerDay << 94n) | (forkPrice << 14n) | royaltyBps,
  )
})

test('a holder is one word: the last sign of life and the number of tokens', async () => {
  const holder = party(3)
  const { timestamp } = await harness.client.getBlock()
  const even = timestamp + 1_000n - (timestamp % 2n)
  for (const [index, time] of [even, even + 1n].entries()) {
    await harness.dateNextBlock(time)
    const args = [holder.address, word(7), word(8), 0n] as const
    await harness.mined(harness.registry.write.mint(args, { account: holder, gas: 500_000n }))
    const balance = BigInt(index + 1)
    expect(await harness.registry.read.balanceOf([holder.address])).toBe(balance)
    expect(await holderOf(holder.address)).toBe((time << 192n) | balance)
  }
})

test('an inheritance is one word: heir, announcement, silence and notice', async () => {
  const [account, heir] = [party(4), party(5)]
  const { registry, client, mined, mineAt } = harness
  await mined(registry.write.nameHeir([heir.address, 30n, 40n], { account }))
  const plan = (announcedAt: bigint) =>
    (BigInt(heir.address) << 96n) | (announcedAt << 32n) | (30n << 16n) | 40n
  expect(await inheritanceOf(account.address)).toBe(plan(0n))
  // The second announcement, after a sign of life, leaves nothing of the first.
  for (const _ of ['first', 'second']) {
    await mineAt((await client.getBlock()).timestamp + 30n * day)
    await mined(registry.write.announceTakeover([account.address], { account: heir }))
    const { timestamp } = await client.getBlock()
    expect(await inheritanceOf(account.address)).toBe(plan(timestamp))
    await mined(registry.write.heartbeat({ account }))
  }
})

test('a batch for others is created by its sender', async () => {
  const item = { recipient: friend.address, contentHash: word(7), digest: word(8), parent: 0n }
  await harness.mined(harness.registry.write.mintBatch([[item]], { account: creator }))
  const tokenId = await harness.registry.read.totalSupply()
  expect(await harness.registry.read.creatorOf([tokenId])).toBe(creator.address)
  expect(await harness.registry.read.ownerOf([tokenId])).toBe(friend.address)
})
