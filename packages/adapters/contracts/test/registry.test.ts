import { encodePacked, keccak256, parseEventLogs, toHex, zeroAddress, zeroHash } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryRegistryAbi } from '../../src/ledger/contracts.generated.ts'
import { actsOn, everyOffer, word } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { refusalOf, refusalsOf } from './refusal.ts'

const [creator, other, forker] = [party(1), party(2), party(3)]

let harness: ContractHarness
let acts: ReturnType<typeof actsOn>

beforeAll(async () => {
  harness = await openContractHarness()
  acts = actsOn(harness)
})

const itemOf = (index: number, parent = 0n) => ({
  recipient: creator.address,
  contentHash: word(index + 1),
  digest: word(index + 1001),
  parent,
})

describe('a mint', () => {
  test('records the caller as the creator and the recipient as the owner', async () => {
    const { registry, client, mined } = harness
    const tokenId = (await registry.read.totalSupply()) + 1n
    const mint = [other.address, word(11), word(12), 0n] as const
    const receipt = await mined(registry.write.mint(mint, { account: creator }))
    const { timestamp } = await client.getBlock({ blockNumber: receipt.blockNumber })
    const record = [creator.address, timestamp, 0n, 0n, word(11), word(12), other.address, 0n]
    expect(await registry.read.recordOf([tokenId])).toEqual(record)
    expect(await registry.read.ownerOf([tokenId])).toBe(other.address)
    expect(await registry.read.creatorOf([tokenId])).toBe(creator.address)
    expect(await registry.read.totalSupply()).toBe(tokenId)
  })

  test('emits the token, its content and its first owner', async () => {
    const { registry, mined } = harness
    const parent = await acts.mint(creator)
    const mint = [other.address, word(21), word(22), parent] as const
    const { logs } = await mined(registry.write.mint(mint, { account: creator }))
    const tokenId = parent + 1n
    const events = parseEventLogs({ abi: memoryRegistryAbi, logs })
    const minted = {
      tokenId,
      creator: creator.address,
      contentHash: word(21),
      digest: word(22),
      parent,
      licence: 0n,
    }
    expect(events.map(({ eventName, args }) => [eventName, args])).toEqual([
      ['Transfer', { from: zeroAddress, to: other.address, tokenId }],
      ['Minted', minted],
    ])
  })

  test('may name any existing parent without a licence', async () => {
    const { registry } = harness
    const parent = await acts.mint(creator)
    const child = await acts.mint(other, other.address, parent)
    expect(await registry.read.parentOf([child])).toBe(parent)
    expect((await registry.read.recordOf([child]))[3]).toBe(0n)
  })

  test('refuses a parent that does not exist, itself included', async () => {
    const { registry } = harness
    const parent = (await registry.read.totalSupply()) + 1n
    const mint = registry.simulate.mint([other.address, word(1), word(2), parent], {
      account: creator,
    })
    expect(await refusalOf(mint)).toEqual({ name: 'TokenNotFound', facts: [parent] })
  })

  test('refuses the zero content hash', async () => {
    const mint = harness.registry.simulate.mint([other.address, zeroHash, word(2), 0n], {
      account: creator,
    })
    expect(await refusalOf(mint)).toEqual({ name: 'ContentHashZero', facts: [] })
  })

  test('refuses the zero address and both contracts as a recipient', async () => {
    const { registry, marketplace } = harness
    for (const recipient of [zeroAddress, registry.address, marketplace.address]) {
      const mint = registry.simulate.mint([recipient, word(1), word(2), 0n], { account: creator })
      // ERC-6093 has a name of its own for the zero address.
      const name = recipient === zeroAddress ? 'ERC721InvalidReceiver' : 'RecipientInvalid'
      expect(await refusalOf(mint)).toEqual({ name, facts: [recipient] })
    }
  })
})

describe('a batch', () => {
  test('mints 200 tokens with consecutive ids', async () => {
    const { registry, mined } = harness
    const before = await registry.read.totalSupply()
    const items = Array.from({ length: 200 }, (_, index) => itemOf(index))
    await mined(registry.write.mintBatch([items], { account: creator }))
    expect(await registry.read.totalSupply()).toBe(before + 200n)
    for (const index of [0, 99, 199]) {
      const record = await registry.read.recordOf([before + 1n + BigInt(index)])
      const expected = [
        creator.address,
        record[1],
        0n,
        0n,
        word(index + 1),
        word(index + 1001),
        creator.address,
        0n,
      ]
      expect(record).toEqual(expected)
    }
  })

  test('may name an earlier item as a parent, but not a later one', async () => {
    const { registry, mined } = harness
    const first = (await registry.read.totalSupply()) + 1n
    await mined(registry.write.mintBatch([[itemOf(0), itemOf(1, first)]], { account: creator }))
    expect(await registry.read.parentOf([first + 1n])).toBe(first)
    const circle = registry.simulate.mintBatch([[itemOf(0, first + 3n), itemOf(1)]], {
      account: creator,
    })
    expect(await refusalOf(circle)).toEqual({ name: 'TokenNotFound', facts: [first + 3n] })
  })

  test('refuses 0 and 201 items', async () => {
    for (const size of [0, 201]) {
      const items = Array.from({ length: size }, (_, index) => itemOf(index))
      const mint = harness.registry.simulate.mintBatch([items], { account: creator })
      expect(await refusalOf(mint)).toEqual({
        name: 'BatchSizeInvalid',
        facts: [BigInt(size), 200n],
      })
    }
  })

  test('refuses the whole batch for one invalid item', async () => {
    const items = [itemOf(0), { ...itemOf(1), contentHash: zeroHash }]
    const mint = harness.registry.simulate.mintBatch([items], { account: creator })
    expect(await refusalOf(mint)).toEqual({ name: 'ContentHashZero', facts: [] })
  })
})

describe('a fork', () => {
  test('shares the content of its source through any number of forks', async () => {
    const { registry } = harness
    const root = await acts.mint(creator)
    await acts.list(creator, root)
    const child = await acts.fork(forker, root)
    await acts.list(forker, child, { ...everyOffer, royaltyBps: 0n })
    const grandchild = await acts.fork(other, child)
    const [by, , parent, licence, contentHash, digest, owner] = await registry.read.recordOf([
      grandchild,
    ])
    expect([by, parent, licence, contentHash, digest, owner]).toEqual([
      other.address,
      child,
      1n,
      word(7),
      word(8),
      other.address,
    ])
    expect(await registry.read.storageURI([grandchild])).toBe(`v2:ipfs://${word(8)}`)
  })

  test('emits its content and its licence', async () => {
    const { marketplace, mined } = harness
    const parent = await acts.mint(creator)
    await acts.list(creator, parent)
    const payment = { account: forker, value: everyOffer.forkPrice }
    const { logs } = await mined(marketplace.write.fork([parent, other.address, 500n], payment))
    const tokenId = parent + 1n
    const events = parseEventLogs({ abi: memoryRegistryAbi, logs })
    expect(events.map(({ eventName, args }) => [eventName, args])).toEqual([
      ['Transfer', { from: zeroAddress, to: other.address, tokenId }],
      [
        'Minted',
        {
          tokenId,
          creator: forker.address,
          contentHash: word(7),
          digest: word(8),
          parent,
          licence: 501n,
        },
      ],
    ])
  })

  test('and a sale are refused to everyone but the marketplace', async () => {
    const { registry } = harness
    const tokenId = await acts.mint(creator)
    const fork = registry.simulate.fork([tokenId, creator.address, creator.address, 0n], {
      account: creator,
    })
    const sale = registry.simulate.transferOnSale([tokenId, other.address], { account: creator })
    expect(await refusalsOf([fork, sale])).toEqual(
      Array(2).fill({
        name: 'CallerNotMarketplace',
        facts: [creator.address],
      }),
    )
  })
})

test('a token that does not exist has no record', async () => {
  const { read } = harness.registry
  for (const tokenId of [0n, 1_000_000n, 2n ** 256n - 1n]) {
    const attempts = [
      read.recordOf([tokenId]),
      read.holdingOf([tokenId]),
      read.creatorOf([tokenId]),
      read.parentOf([tokenId]),
      read.storageURI([tokenId]),
      read.royaltyLineageOf([tokenId]),
      read.sourceOf([tokenId]),
    ]
    expect(await refusalsOf(attempts)).toEqual(
      attempts.map(() => ({ name: 'TokenNotFound', facts: [tokenId] })),
    )
  }
})

test('a token uses three words, and a fourth once another account owns it', async () => {
  const { client, registry } = harness
  const written = async (tokenId: bigint) => {
    const base = BigInt(keccak256(encodePacked(['uint256', 'uint256'], [tokenId, 0n])))
    const slots = [0n, 1n, 2n, 3n].map((offset) => toHex(base + offset))
    const words = slots.map((slot) => client.getStorageAt({ address: registry.address, slot }))
    return (await Promise.all(words)).map((value) => BigInt(value ?? 0n) !== 0n)
  }
  const tokenId = await acts.mint(creator)
  expect(await written(tokenId)).toEqual([true, true, true, false])
  expect(await written(await acts.mint(creator, other.address))).toEqual([true, true, true, true])
  await acts.list(creator, tokenId)
  expect(await written(await acts.fork(forker, tokenId))).toEqual([false, false, true, false])
})
