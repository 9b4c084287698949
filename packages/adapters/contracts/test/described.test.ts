import { parseEventLogs, zeroHash } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryRegistryAbi } from '../../src/ledger/contracts.generated.ts'
import { word } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { refusalOf } from './refusal.ts'

const [creator, other] = [party(1), party(2)]

let harness: ContractHarness

beforeAll(async () => {
  harness = await openContractHarness()
})

const itemOf = (index: number, parent = 0n) => ({
  recipient: other.address,
  contentHash: word(index + 1),
  digest: word(index + 1001),
  parent,
})

const itemsOf = (size: number) => Array.from({ length: size }, (_, index) => itemOf(index))
const cardsOf = (size: number) => itemsOf(size).map((_, index) => word(index + 2001))

describe('a described batch', () => {
  test('emits the card of each item that has one, right after the item', async () => {
    const { registry, mined } = harness
    const first = (await registry.read.totalSupply()) + 1n
    const cards = [word(31), zeroHash, word(33)]
    const sent = registry.write.mintDescribed([itemsOf(3), cards], { account: creator })
    const { logs } = await mined(sent)
    const events = parseEventLogs({ abi: memoryRegistryAbi, logs })
    expect(events.map(({ eventName, args }) => [eventName, args])).toEqual([
      ['Transfer', expect.objectContaining({ to: other.address, tokenId: first })],
      ['Minted', expect.objectContaining({ tokenId: first })],
      ['Described', { tokenId: first, card: word(31) }],
      ['Transfer', expect.objectContaining({ tokenId: first + 1n })],
      ['Minted', expect.objectContaining({ tokenId: first + 1n })],
      ['Transfer', expect.objectContaining({ tokenId: first + 2n })],
      ['Minted', expect.objectContaining({ tokenId: first + 2n })],
      ['Described', { tokenId: first + 2n, card: word(33) }],
    ])
  })

  test('records the same as a batch without cards, and returns the first id', async () => {
    const { registry, client, mined } = harness
    const first = (await registry.read.totalSupply()) + 1n
    const items = [itemOf(0), itemOf(1, first)]
    const cards = cardsOf(2)
    const simulated = await registry.simulate.mintDescribed([items, cards], { account: creator })
    expect(simulated.result).toBe(first)
    const sent = registry.write.mintDescribed([items, cards], { account: creator })
    const { timestamp } = await client.getBlock({ blockNumber: (await mined(sent)).blockNumber })
    for (const [index, { recipient, contentHash, digest, parent }] of items.entries()) {
      const record = [creator.address, timestamp, parent, 0n, contentHash, digest, recipient, 0n]
      expect(await registry.read.recordOf([first + BigInt(index)])).toEqual(record)
    }
    expect(await registry.read.totalSupply()).toBe(first + 1n)
  })

  test('refuses more or fewer cards than items', async () => {
    for (const [size, count] of [
      [1, 0],
      [2, 1],
      [1, 2],
      [0, 1],
    ] as const) {
      const mint = harness.registry.simulate.mintDescribed([itemsOf(size), cardsOf(count)], {
        account: creator,
      })
      const facts = [BigInt(count), BigInt(size)]
      expect(await refusalOf(mint)).toEqual({ name: 'CardCountInvalid', facts })
    }
  })

  test('accepts 200 items, and refuses 0 and 201', async () => {
    const mint = (size: number) => {
      // Each item is minted to the caller: 200 for others do not fit into a transaction.
      const items = itemsOf(size).map((item) => ({ ...item, recipient: creator.address }))
      return harness.registry.simulate.mintDescribed([items, cardsOf(size)], { account: creator })
    }
    for (const size of [0, 201]) {
      const facts = [BigInt(size), 200n]
      expect(await refusalOf(mint(size))).toEqual({ name: 'BatchSizeInvalid', facts })
    }
    await expect(mint(200)).resolves.toBeDefined()
  })

  test('refuses the whole batch with its cards for one invalid item', async () => {
    const items = [itemOf(0), { ...itemOf(1), contentHash: zeroHash }]
    const mint = harness.registry.simulate.mintDescribed([items, cardsOf(2)], { account: creator })
    expect(await refusalOf(mint)).toEqual({ name: 'ContentHashZero', facts: [] })
  })
})
