import { type Account, account, day, digest, hash, instant, type Ledger, wei } from '@heirloom/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { wallets } from '../harness.ts'
import { stoppedClock } from './clock.ts'
import { type MemoryChain, memoryChain, memoryLedger } from './ledger.ts'

const [ada, ben] = [account(wallets[0].address), account(wallets[1].address)]
const content = {
  contentHash: hash(`0x${'ab'.repeat(32)}`),
  digest: digest(`0x${'cd'.repeat(32)}`),
  parent: undefined,
}
const start = instant(1_700_000_000_999)

describe('memoryChain', () => {
  let chain: MemoryChain
  let owner: Ledger
  let guest: Ledger
  const clock = stoppedClock(start)

  beforeEach(() => {
    chain = memoryChain({ clock })
    for (const holder of [ada, ben]) chain.fund(holder, wei(1000n))
    owner = chain.ledger(ada)
    guest = chain.ledger(ben)
  })

  test('has time in whole seconds', async () => {
    const { tokenId } = await owner.mint({ ...content, recipient: ada })
    expect((await owner.provenance(tokenId))?.mintedAt).toBe(1_700_000_000_000)
    expect((await owner.access(tokenId, ada))?.asOf).toBe(1_700_000_000_000)
  })

  test('ends a rental to the second', async () => {
    const { tokenId } = await owner.mint({ ...content, recipient: ada })
    const terms = { price: wei(0n), rentalPricePerDay: wei(10n), forkPrice: wei(0n) }
    await owner.list({ tokenId, ...terms, forkRoyaltyBps: 0 })
    const rental = { tokenId, days: 2, price: wei(20n), recipient: ben }
    const { expiresAt } = await guest.rent(rental)
    expect(expiresAt).toBe(1_700_000_000_000 + 2 * day)
    expect(chain.balance(ada)).toBe(1020n)
    expect(chain.balance(ben)).toBe(980n)
  })

  test('returns every account checksummed (EIP-55)', async () => {
    const lower = ada.toLowerCase() as Account
    const { tokenId } = await chain.ledger(lower).mint({ ...content, recipient: lower })
    expect(chain.ledger(lower).agent).toBe(ada)
    expect((await owner.access(tokenId, ada))?.owner).toBe(ada)
    expect((await owner.provenance(tokenId))?.creator).toBe(ada)
    expect(chain.balance(lower)).toBe(1000n)
  })

  test('fails with the same facts as the contracts', async () => {
    const { tokenId } = await owner.mint({ ...content, recipient: ada })
    const terms = { price: wei(7n), rentalPricePerDay: wei(1n), forkPrice: wei(9n) }
    await owner.list({ tokenId, ...terms, forkRoyaltyBps: 500 })
    await expect(guest.buy({ tokenId, price: wei(8n), recipient: ben })).rejects.toMatchObject({
      code: 'listing/price-changed',
      facts: { tokenId, price: 7n, offered: 8n },
    })
    const fork = { tokenId, price: wei(9n), maxRoyaltyBps: 499, recipient: ben }
    await expect(guest.fork(fork)).rejects.toMatchObject({
      code: 'listing/royalty-changed',
      facts: { tokenId, royaltyBps: 500, accepted: 499 },
    })
    await expect(guest.list({ tokenId, ...terms, forkRoyaltyBps: 0 })).rejects.toMatchObject({
      code: 'listing/not-owner',
      facts: { tokenId, owner: ada, account: ben },
    })
    const costly = { tokenId, amount: wei(1001n) }
    await expect(guest.payRoyalty(costly)).rejects.toMatchObject({
      code: 'wallet/short',
      facts: { account: ben, balance: 1000n, needed: 1001n },
    })
    for (const days of [0, 366, 1.5]) {
      const rental = { tokenId, days, price: wei(1n), recipient: ben }
      await expect(guest.rent(rental)).rejects.toMatchObject({
        code: 'rental/bad-duration',
        facts: { days, limit: 365 },
      })
    }
    await expect(owner.list({ tokenId, ...terms, forkRoyaltyBps: 10_001 })).rejects.toMatchObject({
      code: 'royalty/bad-share',
    })
    await expect(owner.payRoyalty({ tokenId, amount: wei(0n) })).rejects.toMatchObject({
      code: 'royalty/zero',
    })
  })

  test('returns the result of a key from every ledger of the wallet', async () => {
    const idempotency = { key: 'one', fingerprint: 'a token' }
    const minted = await owner.mint({ ...content, recipient: ada, idempotency })
    expect(await chain.ledger(ada).recall('mint', idempotency)).toEqual(minted)
    expect(await guest.recall('mint', idempotency)).toBe(undefined)
  })

  test('lets only the owner transfer', async () => {
    const { tokenId } = await owner.mint({ ...content, recipient: ada })
    await expect(chain.transfer(ben, tokenId, ben)).rejects.toMatchObject({
      code: 'token/not-owner',
    })
  })
})

describe('memoryLedger', () => {
  test('is one funded wallet on a chain of its own', async () => {
    const ledger = memoryLedger({ clock: stoppedClock(start) })
    expect(ledger.agent).toBe(ada)
    const minted = await ledger.mint({ ...content, recipient: ben })
    const { parent: _, ...proven } = content
    const txHash = `0x${'0'.repeat(63)}1`
    expect(minted).toEqual({ tokenId: 1n, txHash, ...proven, acceptedAt: start })
  })
})
