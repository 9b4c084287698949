import fc from 'fast-check'
import {
  type Abi,
  type AbiEvent,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  getAbiItem,
  getAddress,
  type Hex,
  type Log,
  toHex,
} from 'viem'
import { expect, test } from 'vitest'
import {
  memoryRegistryAbi as abi,
  memoryMarketplaceAbi as marketplaceAbi,
} from '../contracts.generated.ts'
import {
  batchLimit,
  decodeEvents,
  decodeMintContent,
  encodeMint,
  joinCalls,
  type MintItem,
} from './job.ts'

const bytes = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((value): Hex => toHex(value))

const item: fc.Arbitrary<MintItem> = fc.record({
  recipient: bytes(20).map((value) => getAddress(value)),
  contentHash: bytes(32),
  digest: bytes(32),
  parent: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
})

const noCard: Hex = `0x${'00'.repeat(32)}`
type DescribedItem = MintItem & { readonly card: Hex }

const describedItem = fc.tuple(item, bytes(32)).map(
  ([it, card]): DescribedItem => ({
    ...it,
    card: card === noCard ? `0x${'01'.repeat(32)}` : card,
  }),
)

const registry: Hex = `0x${'42'.repeat(20)}`
const mintCall = (it: MintItem) => ({ to: registry, data: encodeMint(it), value: 0n })

test('a mint is encoded as the ABI says', () => {
  const holds = (it: MintItem) => {
    const args = [it.recipient, it.contentHash, it.digest, it.parent] as const
    expect(encodeMint(it)).toBe(encodeFunctionData({ abi, functionName: 'mint', args }))
    const { contentHash, digest } = it
    expect(decodeMintContent(encodeMint(it))).toEqual({ contentHash, digest })
  }
  fc.assert(fc.property(item, holds))
})

test('many mints are joined into one mintBatch, in their order', () => {
  const holds = (items: readonly MintItem[]) => {
    const { data } = joinCalls(items.map(mintCall))
    expect(data).toBe(encodeFunctionData({ abi, functionName: 'mintBatch', args: [items] }))
    expect(decodeFunctionData({ abi, data }).args[0]).toEqual(items)
  }
  fc.assert(fc.property(fc.array(item, { minLength: 2, maxLength: batchLimit }), holds))
})

test('a mint with a card is encoded as the ABI says', () => {
  const holds = ({ card, ...it }: DescribedItem) => {
    const data = encodeMint({ ...it, card })
    const args = [[it], [card]] as const
    expect(data).toBe(encodeFunctionData({ abi, functionName: 'mintDescribed', args }))
    const { contentHash, digest } = it
    expect(decodeMintContent(data)).toEqual({ contentHash, digest })
    expect(joinCalls([{ to: registry, data, value: 0n }]).data).toBe(data)
  }
  fc.assert(fc.property(describedItem, holds))
})

test('mints with and without cards are joined into one mintDescribed', () => {
  const some = fc.array(fc.oneof(item, describedItem), { minLength: 1, maxLength: batchLimit })
  const holds = (before: readonly MintItem[], one: DescribedItem, after: readonly MintItem[]) => {
    const all = [...before, one, ...after]
    const items = all.map(({ card: _, ...it }) => it)
    const cards = all.map(({ card = noCard }) => card)
    const { data } = joinCalls(all.map(mintCall))
    const args = [items, cards] as const
    expect(data).toBe(encodeFunctionData({ abi, functionName: 'mintDescribed', args }))
  }
  fc.assert(fc.property(some, describedItem, some, holds))
})

const example: MintItem = {
  recipient: registry,
  contentHash: `0x${'aa'.repeat(32)}`,
  digest: `0x${'bb'.repeat(32)}`,
  parent: 0n,
  card: `0x${'cc'.repeat(32)}`,
}

test('call data that is no mint is refused', () => {
  const data = encodeFunctionData({ abi, functionName: 'totalSupply' })
  expect(() => decodeMintContent(data)).toThrow('A mint was expected')
  expect(() => decodeMintContent(`0xdeadbeef${'00'.repeat(128)}`)).toThrow('A mint was expected')
  const two = joinCalls([example, example].map(mintCall))
  expect(() => decodeMintContent(two.data)).toThrow('A mint was expected')
  const one = encodeMint(example)
  for (const cut of [one.slice(0, -1), one.slice(0, -64), `${one}00`, '0x', '0x12345678']) {
    expect(() => decodeMintContent(cut as Hex)).toThrow('A mint was expected')
  }
  const calls = [0, 1].map(() => ({ to: registry, data, value: 0n }))
  expect(() => joinCalls(calls)).toThrow('A mint was expected')
})

const encodeEvents = (abi: Abi, eventName: string, events: readonly Record<string, unknown>[]) =>
  events.map((args) => {
    const topics = encodeEventTopics({ abi, eventName, args })
    const { inputs } = getAbiItem({ abi, name: eventName }) as AbiEvent
    const unindexed = inputs.filter(({ indexed }) => !indexed)
    const data = encodeAbiParameters(
      unindexed,
      unindexed.map(({ name = '' }) => args[name]),
    )
    return { address: registry, topics, data } as unknown as Log
  })

const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const parties = { creator: registry, forker: registry, owner: registry, renter: registry }

test('the results of a transaction are decoded from its events, in their order', () => {
  const holds = (tokens: readonly bigint[], expiresAt: number) => {
    const mints = tokens.map((tokenId) => ({
      tokenId,
      ...parties,
      contentHash: toHex(7n, { size: 32 }),
      digest: toHex(8n, { size: 32 }),
      parent: 9n,
      licence: 0n,
    }))
    const forks = tokens.map((tokenId) => ({
      tokenId,
      ...parties,
      parent: 9n,
      recipient: registry,
      royaltyBps: 1n,
      price: 2n,
    }))
    const rental = { tokenId: 1n, ...parties, payer: registry, expiresAt: BigInt(expiresAt) }
    const logs = [
      ...encodeEvents(abi, 'Minted', mints),
      ...encodeEvents(
        abi,
        'Described',
        tokens.map((tokenId) => ({ tokenId, card: noCard })),
      ),
      ...encodeEvents(marketplaceAbi, 'Forked', forks),
      ...encodeEvents(marketplaceAbi, 'Rented', [{ ...rental, paid: 3n }]),
    ]
    const expected = tokens.map((tokenId) => ({ tokenId: String(tokenId) }))
    expect(decodeEvents('mint', logs)).toEqual(expected)
    expect(decodeEvents('fork', logs)).toEqual(expected)
    expect(decodeEvents('rent', logs)).toEqual([{ expiresAt: 1000 * expiresAt }])
    expect(decodeEvents('list', [])).toEqual([])
  }
  fc.assert(fc.property(fc.array(word, { maxLength: 5 }), fc.integer({ min: 0, max: 1e9 }), holds))
})
