import { memoryHarness, type Party, type ServiceHarness } from '@heirloom/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import type { MemoryService } from '../memory-service.ts'
import type { Terms } from '../tokens/listing.ts'
import type { TokenId } from '../values/branded.ts'
import { tokenId, wei } from '../values/decimal.ts'
import { fork } from './fork.ts'

const bundle = { data: { goal: 'learn' }, metadata: { category: 'research' } }
const unlisted = { rentalPricePerDay: wei(0n), forkPrice: wei(0n), forkRoyaltyBps: 0 }
const terms: Terms = {
  price: wei(1000n),
  rentalPricePerDay: wei(10n),
  forkPrice: wei(200n),
  forkRoyaltyBps: 500,
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

const failsWith = (code: string, facts?: object) =>
  expect.objectContaining(facts === undefined ? { code } : { code, facts })

describe('fork', () => {
  test('mints a child whose sales pay its parent', async () => {
    const { tokenId: child } = await reader.fork({ tokenId: id })
    expect(await reader.provenance({ tokenId: child })).toMatchObject({
      parent: id,
      creator: ben.ledger.agent,
      contentHash: (await author.provenance({ tokenId: id })).contentHash,
    })
    await reader.list({ tokenId: child, ...unlisted, price: wei(1000n) })
    const before = await ada.balance()
    await author.buy({ tokenId: child })
    expect(await ada.balance()).toBe(before - 1000n + 50n)
  })

  test('refuses a total royalty above the accepted one with `listing/royalty-changed`', async () => {
    const { tokenId: child } = await reader.fork({ tokenId: id, maxRoyaltyBps: 500 })
    await reader.list({ tokenId: child, ...terms })
    await expect(author.fork({ tokenId: child, maxRoyaltyBps: 999 })).rejects.toEqual(
      failsWith('listing/royalty-changed', { tokenId: child, royaltyBps: 1000, accepted: 999 }),
    )
    await expect(author.fork({ tokenId: child, maxRoyaltyBps: 10_001 })).rejects.toEqual(
      failsWith('royalty/bad-share'),
    )
    await author.fork({ tokenId: child, maxRoyaltyBps: 1000 })
  })

  test('accepts only the royalty of the listing when there is no limit', async () => {
    const listing: Party['ledger']['listing'] = async (of) => {
      const shown = await ben.ledger.listing(of)
      await author.list({ tokenId: id, ...terms, forkRoyaltyBps: 501 })
      return shown
    }
    const late = { ledger: { ...ben.ledger, listing } }
    await expect(fork(late, { tokenId: id })).rejects.toEqual(
      failsWith('listing/royalty-changed', { tokenId: id, royaltyBps: 501, accepted: 500 }),
    )
  })

  test('checks in the order of its docstring', async () => {
    await expect(reader.fork({ tokenId: unknown })).rejects.toEqual(failsWith('token/not-found'))
    await expect(reader.fork({ tokenId: id, maxPrice: wei(199n) })).rejects.toEqual(
      failsWith('listing/over-max-price'),
    )
    await author.list({ tokenId: id, ...terms, forkPrice: wei(0n) })
    await expect(reader.fork({ tokenId: id })).rejects.toEqual(
      failsWith('listing/not-for-fork', { tokenId: id }),
    )
  })
})
