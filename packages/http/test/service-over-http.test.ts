import { type MemoryService, tokenId, wei } from '@heirloom/core'
import { beforeEach, expect, test } from 'vitest'
import {
  addressOf,
  agent,
  memory,
  openHarness,
  other,
  type ServerHarness,
} from './server-harness.ts'
import { serviceOverHttp } from './service-over-http.ts'

let harness: ServerHarness
let service: MemoryService
beforeEach(() => {
  harness = openHarness()
  service = serviceOverHttp(harness.server)
})

const terms = {
  price: wei(7n),
  rentalPricePerDay: wei(3n),
  forkPrice: wei(5n),
  forkRoyaltyBps: 250,
}

test('returns the results of the service, as core values', async () => {
  const bundle = { data: { a: 1 }, metadata: { category: 'gaming' } }
  const { tokenId: id, contentHash, storageUri, timestamp } = await service.snapshot({ bundle })
  expect([id, timestamp]).toEqual([1n, harness.clock.now()])
  expect(await service.provenance({ tokenId: id })).toMatchObject({
    tokenId: id,
    contentHash,
    storageUri,
    creator: addressOf(agent),
    parent: undefined,
    mintedAt: harness.clock.now(),
  })
  await service.list({ tokenId: id, ...terms })
  const seller = addressOf(agent)
  const owed = { effectiveRoyaltyBps: 250, totalRoyaltyBps: 250, canBeForked: true }
  const shown = await service.listing({ tokenId: id })
  expect(shown).toEqual({ tokenId: id, seller, ...terms, ...owed })
  const recipient = addressOf(other)
  const rented = await service.rent({ tokenId: id, days: 2, recipient, maxPrice: wei(6n) })
  expect(rented.expiresAt).toBe(harness.clock.now() + 2 * 86_400_000)
  expect((await service.fork({ tokenId: id })).tokenId).toBe(2n)
  await service.royalty({ tokenId: id, amount: wei(1n) })
  await service.buy({ tokenId: id, recipient, maxPrice: wei(7n) })
})

test('sends the bytes of a bundle unchanged, beside a parent and a recipient', async () => {
  const text = '{"data":{"n":1.0},"metadata":{"category":"x"}}'
  await service.snapshot({ bundle: memory })
  const recipient = addressOf(other)
  const bundle = Buffer.from(text)
  const { tokenId: id } = await service.snapshot({ bundle, parent: tokenId(1n), recipient })
  expect((await service.provenance({ tokenId: id })).parent).toBe(1n)
  const timestamp = harness.clock.now() / 1000
  const message = `service:access:${id}:${other.address}:${timestamp}`
  const signature = await other.signMessage({ message })
  const proof = { account: recipient, timestamp, signature }
  const opened = await service.download({ tokenId: id, proof })
  expect(Buffer.from(opened.document).toString()).toBe(text)
})

test('runs a write once under a key of any characters', async () => {
  const bundle = { data: { a: 1 }, metadata: { category: 'gaming' } }
  const idempotency = { key: 'a"\\b', fingerprint: '' }
  const minted = await service.snapshot({ bundle, idempotency })
  expect(await service.snapshot({ bundle, idempotency })).toEqual(minted)
  const { tokenId: id } = minted
  const once = (key: string) => ({ tokenId: id, idempotency: { ...idempotency, key } })
  for (const write of [
    () => service.list({ ...terms, ...once('list') }),
    () => service.rent({ days: 300, ...once('rent') }),
    () => service.fork(once('fork')),
    () => service.royalty({ amount: wei(2n), ...once('royalty') }),
    () => service.buy(once('buy')),
  ]) {
    expect(await write()).toEqual(await write())
  }
  expect((await harness.state()).tokens).toHaveLength(2)
})

test('fails as the service fails, with the facts as they came', async () => {
  await expect(service.provenance({ tokenId: tokenId(8n) })).rejects.toMatchObject({
    name: 'Failure',
    code: 'token/not-found',
    facts: { tokenId: '8' },
  })
})
