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
import { batchLimit, callOf, contentOf, gainsOf, type Item, mintOf } from './job.ts'

const bytes = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((value): Hex => toHex(value))

const item: fc.Arbitrary<Item> = fc.record({
  recipient: bytes(20).map((value) => getAddress(value)),
  contentHash: bytes(32),
  digest: bytes(32),
  parent: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
})

const none: Hex = `0x${'00'.repeat(32)}`
type Described = Item & { readonly card: Hex }

const described = fc.tuple(item, bytes(32)).map(
  ([it, card]): Described => ({
    ...it,
    card: card === none ? `0x${'01'.repeat(32)}` : card,
  }),
)

const registry: Hex = `0x${'42'.repeat(20)}`
const calling = (it: Item) => ({ to: registry, data: mintOf(it), value: 0n })

test('a mint is the call that the ABI spells', () => {
  const holds = (it: Item) => {
    const args = [it.recipient, it.contentHash, it.digest, it.parent] as const
    expect(mintOf(it)).toBe(encodeFunctionData({ abi, functionName: 'mint', args }))
    expect(contentOf(mintOf(it))).toEqual({ contentHash: it.contentHash, digest: it.digest })
  }
  fc.assert(fc.property(item, holds))
})

test('many mints are the one call that the ABI spells, in their order', () => {
  const holds = (items: readonly Item[]) => {
    const { data } = callOf(items.map(calling))
    expect(data).toBe(encodeFunctionData({ abi, functionName: 'mintBatch', args: [items] }))
    expect(decodeFunctionData({ abi, data }).args[0]).toEqual(items)
  }
  fc.assert(fc.property(fc.array(item, { minLength: 2, maxLength: batchLimit }), holds))
})

test('a mint with a card is the call that the ABI spells', () => {
  const holds = ({ card, ...it }: Described) => {
    const data = mintOf({ ...it, card })
    const args = [[it], [card]] as const
    expect(data).toBe(encodeFunctionData({ abi, functionName: 'mintDescribed', args }))
    expect(contentOf(data)).toEqual({ contentHash: it.contentHash, digest: it.digest })
    expect(callOf([{ to: registry, data, value: 0n }]).data).toBe(data)
  }
  fc.assert(fc.property(described, holds))
})

test('mints with and without cards are one call, once one has a card', () => {
  const some = fc.array(fc.oneof(item, described), { minLength: 1, maxLength: batchLimit })
  const holds = (before: readonly Item[], one: Described, after: readonly Item[]) => {
    const all = [...before, one, ...after]
    const items = all.map(({ card: _, ...it }) => it)
    const cards = all.map(({ card = none }) => card)
    const { data } = callOf(all.map(calling))
    const args = [items, cards] as const
    expect(data).toBe(encodeFunctionData({ abi, functionName: 'mintDescribed', args }))
  }
  fc.assert(fc.property(some, described, some, holds))
})

const example: Item = {
  ...{ recipient: registry, contentHash: `0x${'aa'.repeat(32)}`, digest: `0x${'bb'.repeat(32)}` },
  ...{ parent: 0n, card: `0x${'cc'.repeat(32)}` },
}

test('what is no mint is refused rather than recorded', () => {
  const data = encodeFunctionData({ abi, functionName: 'totalSupply' })
  expect(() => contentOf(data)).toThrow('A mint was expected')
  expect(() => contentOf(`0xdeadbeef${'00'.repeat(128)}`)).toThrow('A mint was expected')
  const two = callOf([0, 1].map(() => ({ to: registry, data: mintOf(example), value: 0n })))
  expect(() => contentOf(two.data)).toThrow('A mint was expected')
  const one = mintOf(example)
  for (const cut of [one.slice(0, -1), one.slice(0, -64), `${one}00`, '0x', '0x12345678']) {
    expect(() => contentOf(cut as Hex)).toThrow('A mint was expected')
  }
  const calls = [0, 1].map(() => ({ to: registry, data, value: 0n }))
  expect(() => callOf(calls)).toThrow('A mint was expected')
})

const eventsOf = (abi: Abi, eventName: string, each: readonly Record<string, unknown>[]) =>
  each.map((args) => {
    const topics = encodeEventTopics({ abi, eventName, args })
    const { inputs } = getAbiItem({ abi, name: eventName }) as AbiEvent
    const plain = inputs.filter(({ indexed }) => !indexed)
    const data = encodeAbiParameters(
      plain,
      plain.map(({ name = '' }) => args[name]),
    )
    return { address: registry, topics, data } as unknown as Log
  })

const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const someone = { creator: registry, forker: registry, owner: registry, renter: registry }

test('what a write gave is what its events say, in their order', () => {
  const holds = (tokens: readonly bigint[], expiresAt: number) => {
    const mints = tokens.map((tokenId) => ({
      ...{ tokenId, ...someone, contentHash: toHex(7n, { size: 32 }) },
      ...{ digest: toHex(8n, { size: 32 }), parent: 9n, licence: 0n },
    }))
    const forks = tokens.map((tokenId) => ({
      ...{ tokenId, ...someone, parent: 9n, recipient: registry, royaltyBps: 1n, price: 2n },
    }))
    const rental = { tokenId: 1n, ...someone, payer: registry, expiresAt: BigInt(expiresAt) }
    const logs = [
      ...eventsOf(abi, 'Minted', mints),
      ...eventsOf(
        abi,
        'Described',
        tokens.map((tokenId) => ({ tokenId, card: none })),
      ),
      ...eventsOf(marketplaceAbi, 'Forked', forks),
      ...eventsOf(marketplaceAbi, 'Rented', [{ ...rental, paid: 3n }]),
    ]
    const given = tokens.map((tokenId) => ({ tokenId: String(tokenId) }))
    expect(gainsOf('mint', logs)).toEqual(given)
    expect(gainsOf('fork', logs)).toEqual(given)
    expect(gainsOf('rent', logs)).toEqual([{ expiresAt: 1000 * expiresAt }])
    expect(gainsOf('list', [])).toEqual([])
  }
  fc.assert(fc.property(fc.array(word, { maxLength: 5 }), fc.integer({ min: 0, max: 1e9 }), holds))
})
