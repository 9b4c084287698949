import { memoryStore, type WalletStore } from '@heirloom/adapters/internal/wallet'
import { expect, test } from 'vitest'
import { dollarsOf, inDollars, memory, newAccount, openPoor, usd } from '../../test/poor-wallets.ts'

/** Returns a store that two processes share, and the same as one has it that is killed at the end. */
function sharedStore() {
  const store = memoryStore()
  const killed: WalletStore = { ...store, orders: { ...store.orders, remove: () => undefined } }
  return { store, killed }
}

test('an order whose end nobody was told of is the answer of the next act, and of its key', async () => {
  const { walletOf } = await openPoor()
  const [seller, account] = [await walletOf(), newAccount()]
  const { tokenId } = await seller.snapshot(memory)
  await seller.list({ tokenId, ...inDollars })
  const { store, killed } = sharedStore()
  const first = await walletOf(account, { store: () => killed })
  const rented = await first.rent(tokenId, { durationDays: 2 })
  const before = await dollarsOf(first)

  const next = await walletOf(account, { store: () => store })
  const held = await dollarsOf(next)
  const key = { idempotencyKey: 'once' }
  expect(await next.rent(tokenId, { durationDays: 2 }, key)).toEqual(rented)
  expect(await next.rent(tokenId, { durationDays: 2 }, key)).toEqual(rented)
  expect(await dollarsOf(next)).toBe(held)
  // Another length is another wish, and so is the same one now that its answer has arrived.
  await next.rent(tokenId, { durationDays: 1 })
  const again = await next.rent(tokenId, { durationDays: 2 })
  expect(Number(again.expiresAt)).toBe(Number(rented.expiresAt) + 3 * 86_400)
  expect(await dollarsOf(next)).toBe(held - (3n * usd) / 4n)
  expect(before).toBe(100n * usd - usd / 2n)
})

test('a purchase that ended its listing is the answer of the next one', async () => {
  const { walletOf } = await openPoor()
  const [seller, account] = [await walletOf(), newAccount()]
  const { tokenId } = await seller.snapshot(memory)
  await seller.list({ tokenId, ...inDollars })
  const { store, killed } = sharedStore()
  const bought = await (await walletOf(account, { store: () => killed })).buy(tokenId)
  const next = await walletOf(account, { store: () => store })
  expect(await next.buy(tokenId, { maxDollars: 5n * usd })).toEqual(bought)
  await expect(next.buy(tokenId)).rejects.toMatchObject({ code: 'listing/not-for-sale' })
})

test('wallets without a common store make the same order at the same time, and pay it once', async () => {
  const { walletOf } = await openPoor()
  const [seller, account] = [await walletOf(), newAccount()]
  const { tokenId } = await seller.snapshot(memory)
  await seller.list({ tokenId, ...inDollars })
  const both = [await walletOf(account), await walletOf(account)] as const
  const signed: string[] = []
  const held = await dollarsOf(both[0])
  const rent = (wallet: (typeof both)[number]) =>
    wallet.rent(tokenId, { durationDays: 2 }, { onSent: (hash) => void signed.push(hash) })
  const ends = await Promise.all(both.map(rent))
  const spent = held - (await dollarsOf(both[0]))
  // They are the same order, unless the second began after the first had ended.
  const orders = new Set(signed).size
  expect(spent).toBe(BigInt(orders) * (usd / 2n))
  expect(new Set(ends.map(({ expiresAt }) => expiresAt)).size).toBe(orders)
})
