import { memoryHarness, type Party, type ServiceHarness } from '@heirloom/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { Failure } from '../failure.ts'
import type { MemoryService } from '../memory-service.ts'
import type { Terms } from '../tokens/listing.ts'
import type { Idempotency } from '../tokens/write-terms.ts'
import type { TokenId } from '../values/branded.ts'
import { tokenId, wei } from '../values/decimal.ts'
import { nobody } from '../values/hex.ts'
import { day } from '../values/time.ts'
import { buy } from './buy.ts'
import { list } from './list.ts'

const bundle = { data: { goal: 'learn' }, metadata: { category: 'research' } }
const terms: Terms = {
  price: wei(1000n),
  rentalPricePerDay: wei(10n),
  forkPrice: wei(200n),
  forkRoyaltyBps: 500,
}
const unlisted = {
  price: wei(0n),
  rentalPricePerDay: wei(0n),
  forkPrice: wei(0n),
  forkRoyaltyBps: 0,
}
const unknown = tokenId(99n)

let harness: ServiceHarness
let author: MemoryService
let reader: MemoryService
let ada: Party
let ben: Party
let id: TokenId

beforeEach(async () => {
  harness = memoryHarness()
  ;[author, reader] = harness.services as [MemoryService, MemoryService]
  ;[ada, ben] = harness.parties as [Party, Party]
  id = (await author.snapshot({ bundle })).tokenId
  await author.list({ tokenId: id, ...terms })
})

const ownerOf = async (token: TokenId) => (await ada.ledger.access(token, ada.ledger.agent))?.owner
const failsWith = (code: string, facts?: object) =>
  expect.objectContaining(facts === undefined ? { code } : { code, facts })

describe('list', () => {
  test('lists a token and takes the listing down', async () => {
    const shown = await reader.listing({ tokenId: id })
    const owed = { effectiveRoyaltyBps: 500, totalRoyaltyBps: 500, canBeForked: true }
    expect(shown).toEqual({ tokenId: id, seller: ada.ledger.agent, ...terms, ...owed })
    await author.list({ tokenId: id, ...unlisted })
    expect(await reader.listing({ tokenId: id })).toMatchObject({ seller: nobody, price: 0n })
  })

  test('checks the terms before the token', async () => {
    const price = wei(2n ** 80n)
    await expect(author.list({ tokenId: unknown, ...terms, price })).rejects.toEqual(
      failsWith('listing/price-too-high'),
    )
    await expect(
      author.list({ tokenId: unknown, ...terms, forkRoyaltyBps: 10_001 }),
    ).rejects.toEqual(failsWith('royalty/bad-share'))
  })

  test('fails with `token/not-found` and `listing/not-owner`', async () => {
    await expect(author.list({ tokenId: unknown, ...terms })).rejects.toEqual(
      failsWith('token/not-found', { tokenId: unknown }),
    )
    await expect(reader.list({ tokenId: id, ...terms })).rejects.toEqual(
      failsWith('listing/not-owner'),
    )
  })
})

describe('list by another account', () => {
  test('fails before it sends a transaction', async () => {
    const send = () => Promise.reject(new Error('nothing may be sent'))
    const ledger = { ...ben.ledger, list: send }
    const facts = { tokenId: id, owner: ada.ledger.agent, account: ben.ledger.agent }
    await expect(list({ ledger }, { tokenId: id, ...terms })).rejects.toEqual(
      failsWith('listing/not-owner', facts),
    )
  })
})

describe('buy', () => {
  test('makes the agent the owner and pays the seller', async () => {
    const before = [await ada.balance(), await ben.balance()] as const
    const { txHash } = await reader.buy({ tokenId: id })
    expect(txHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await ownerOf(id)).toBe(ben.ledger.agent)
    expect(await ada.balance()).toBe(before[0] + 1000n)
    expect(await ben.balance()).toBe(before[1] - 1000n)
  })

  test('buys for another account within the limit', async () => {
    await reader.buy({ tokenId: id, recipient: ada.ledger.agent, maxPrice: wei(1000n) })
    expect(await ownerOf(id)).toBe(ada.ledger.agent)
  })

  test('refuses in the order of the doc', async () => {
    await expect(reader.buy({ tokenId: unknown })).rejects.toEqual(failsWith('token/not-found'))
    await expect(reader.buy({ tokenId: id, maxPrice: wei(999n) })).rejects.toEqual(
      failsWith('listing/over-max-price', { tokenId: id, price: 1000n, maxPrice: 999n }),
    )
    await expect(reader.buy({ tokenId: id, recipient: nobody })).rejects.toEqual(
      failsWith('recipient/invalid', { recipient: nobody }),
    )
    await reader.buy({ tokenId: id })
    await expect(author.buy({ tokenId: id, maxPrice: wei(0n) })).rejects.toEqual(
      failsWith('listing/not-for-sale', { tokenId: id }),
    )
  })
})

describe('rent', () => {
  test('rents for the paid days, and renews from the end', async () => {
    const first = await reader.rent({ tokenId: id, days: 30 })
    expect(first.expiresAt).toBe(harness.now() + 30 * day)
    const second = await reader.rent({ tokenId: id, days: 335 })
    expect(second.expiresAt).toBe(first.expiresAt + 335 * day)
    await expect(reader.rent({ tokenId: id, days: 1 })).rejects.toEqual(
      failsWith('rental/too-long'),
    )
  })

  test('limits the total price of all days', async () => {
    await expect(reader.rent({ tokenId: id, days: 3, maxPrice: wei(29n) })).rejects.toEqual(
      failsWith('listing/over-max-price', { tokenId: id, price: 30n, maxPrice: 29n }),
    )
  })

  test('refuses in the order of the doc', async () => {
    await author.list({ tokenId: id, ...terms, rentalPricePerDay: wei(0n) })
    for (const days of [0, 366, -1, 1.5, Number.NaN]) {
      await expect(reader.rent({ tokenId: unknown, days })).rejects.toEqual(
        failsWith('rental/bad-duration', { days, limit: 365 }),
      )
    }
    await expect(reader.rent({ tokenId: unknown, days: 1 })).rejects.toEqual(
      failsWith('token/not-found'),
    )
    await expect(reader.rent({ tokenId: id, days: 1 })).rejects.toEqual(
      failsWith('listing/not-for-rent', { tokenId: id }),
    )
  })
})

describe('royalty', () => {
  test('pays the creator and not the owner', async () => {
    await reader.buy({ tokenId: id })
    const before = await ada.balance()
    await reader.royalty({ tokenId: id, amount: wei(5n) })
    expect(await ada.balance()).toBe(before + 5n)
  })

  test('refuses `royalty/zero` before `token/not-found`', async () => {
    await expect(reader.royalty({ tokenId: unknown, amount: wei(0n) })).rejects.toEqual(
      failsWith('royalty/zero'),
    )
    await expect(reader.royalty({ tokenId: unknown, amount: wei(1n) })).rejects.toEqual(
      failsWith('token/not-found'),
    )
  })
})

describe('a write with an idempotency key', () => {
  const idempotency = { key: 'k', fingerprint: 'f' }
  const [price, offer] = [wei(5n), { ...unlisted, price: wei(3n) }]

  test.each<[string, (input: { readonly idempotency: Idempotency }) => Promise<object>]>([
    ['list', (once) => author.list({ tokenId: id, ...offer, ...once })],
    ['buy', (once) => reader.buy({ tokenId: id, ...once })],
    ['rent', (once) => reader.rent({ tokenId: id, days: 300, ...once })],
    ['fork', (once) => reader.fork({ tokenId: id, ...once })],
    ['royalty', (once) => reader.royalty({ tokenId: id, amount: price, ...once })],
  ])('%s returns the first result again, and writes nothing', async (_, write) => {
    const first = await write({ idempotency })
    const after = [await ada.balance(), await ben.balance(), await reader.listing({ tokenId: id })]
    expect(await write({ idempotency })).toEqual(first)
    expect(await Promise.all([write({ idempotency }), write({ idempotency })])).toEqual([
      first,
      first,
    ])
    expect([
      await ada.balance(),
      await ben.balance(),
      await reader.listing({ tokenId: id }),
    ]).toEqual(after)
    const other = { key: 'k', fingerprint: 'g' }
    await expect(write({ idempotency: other })).rejects.toEqual(failsWith('idempotency/key-reused'))
  })

  test('returns the result of a twin that finished while this one read the listing', async () => {
    let first: Promise<buy.Output> | undefined
    const listing: Party['ledger']['listing'] = async (of) => {
      first = buy(ben, { tokenId: of, idempotency })
      await first
      return ben.ledger.listing(of)
    }
    const late = { ledger: { ...ben.ledger, listing } }
    const second = await buy(late, { tokenId: id, idempotency })
    expect(second).toEqual(await first)
  })

  test('fails as without a key, and can be retried', async () => {
    const dear = { tokenId: id, maxPrice: wei(999n), idempotency }
    await expect(reader.buy(dear)).rejects.toEqual(failsWith('listing/over-max-price'))
    await expect(reader.buy({ ...dear, recipient: nobody, maxPrice: undefined })).rejects.toEqual(
      failsWith('recipient/invalid'),
    )
    await reader.buy({ tokenId: id, idempotency })
    expect(await ownerOf(id)).toBe(ben.ledger.agent)
  })

  test('is not awaited twice when it stays unconfirmed', async () => {
    const txHash = `0x${'ab'.repeat(32)}` as const
    const unconfirmed = new Failure('transaction/unconfirmed', { txHash })
    let recalls = 0
    const recall = async () => {
      recalls++
      return undefined
    }
    const ledger = { ...ben.ledger, recall, buy: () => Promise.reject(unconfirmed) }
    await expect(buy({ ledger }, { tokenId: id, idempotency })).rejects.toBe(unconfirmed)
    expect(recalls).toBe(1)
  })
})

describe('the reads', () => {
  test('fail with `token/not-found`', async () => {
    const code = failsWith('token/not-found', { tokenId: unknown })
    await expect(author.provenance({ tokenId: unknown })).rejects.toEqual(code)
    await expect(author.listing({ tokenId: unknown })).rejects.toEqual(code)
  })
})
