import { digest, tokenId, wei } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { expectBalanced } from '../harness/nonce-lane/expect-balanced.ts'
import { content, mint, outcomeOf, until } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'

const harness = laneHarness()

describe('a write', () => {
  test('returns after the configured number of confirmations', async () => {
    await harness.chain.mine({ blocks: 3 })
    const ledger = await harness.fixture.open({ confirmations: 3 })
    let hasReturned = false
    const minted = mint(ledger, 'a').finally(() => {
      hasReturned = true
    })
    await until(async () => (await harness.fixture.mintedHashes()).length === 1)
    expect(await ledger.provenance(tokenId(1n))).toBeUndefined()
    await harness.chain.mine({ blocks: 1 })
    expect(hasReturned).toBe(false)
    await harness.chain.mine({ blocks: 1 })
    expect(await ledger.provenance((await minted).tokenId)).toMatchObject({ tokenId: 1n })
  })

  test('that is invalid fails no other write of its batch', async () => {
    const ledger = await harness.fixture.open()
    await mint(ledger, 'first')
    const contentHash = content('invalid')
    const unknown = { digest: digest(contentHash), parent: tokenId(99n) }
    const invalid = { contentHash, ...unknown, recipient: ledger.agent }
    const names = Array.from({ length: 20 }, (_, index) => index)
    const outcomes = await Promise.all(
      names.map((name) => outcomeOf(name === 7 ? ledger.mint(invalid) : mint(ledger, name))),
    )
    expect(outcomes[7]).toBe('token/not-found')
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(19)
    await expectBalanced(harness.fixture, ['first', ...names.filter((name) => name !== 7)])
  })

  test('joins a batch under load, and is sent alone on an idle lane', async () => {
    const ledger = await harness.fixture.open()
    await mint(ledger, 'alone')
    await Promise.all(Array.from({ length: 100 }, (_, index) => mint(ledger, index)))
    const sizes = harness.fixture.events.flatMap((event) =>
      event.kind === 'signed' ? [event.jobs.length] : [],
    )
    expect(sizes[0]).toBe(1)
    expect(Math.max(...sizes)).toBeGreaterThan(50)
  })
})

describe('a spend limit', () => {
  test('refuses a call above the call limit before it is signed', async () => {
    const ledger = await harness.fixture.open({ limits: { perCall: wei(1n) } })
    expect(await outcomeOf(mint(ledger, 'a'))).toBe('wallet/call-limit')
    expect(harness.countEvents('signed')).toBe(0)
    await expectBalanced(harness.fixture, [])
  })

  test('is not exceeded in a day by concurrent writes', async () => {
    const perDay = wei(10n ** 16n)
    const ledger = await harness.fixture.open({ limits: { perDay } })
    await mint(ledger, 'first')
    const amount = wei(10n ** 15n)
    const royalties = Array.from({ length: 20 }, () =>
      outcomeOf(ledger.payRoyalty({ tokenId: tokenId(1n), amount })),
    )
    const outcomes = await Promise.all(royalties)
    expect(new Set(outcomes.filter((outcome) => typeof outcome === 'string'))).toEqual(
      new Set(['wallet/day-limit']),
    )
    const { spentToday } = await ledger.wallet()
    expect(spentToday).toBeLessThanOrEqual(perDay)
    expect(spentToday).toBeGreaterThan(amount * 5n)
  })

  test('counts each day on its own, also when the clock jumps', async () => {
    let now = Date.now()
    const ledger = await harness.fixture.open({ now: () => now })
    await mint(ledger, 'today')
    const { spentToday } = await ledger.wallet()
    expect(spentToday).toBe(await harness.fixture.amountPaid())
    for (const jump of [86_400_000, -3 * 86_400_000, 365 * 86_400_000]) {
      now += jump
      expect((await ledger.wallet()).spentToday).toBe(0n)
      await mint(ledger, jump)
      expect((await ledger.wallet()).spentToday).toBeGreaterThan(0n)
    }
    await expectBalanced(harness.fixture, ['today', 86_400_000, -3 * 86_400_000, 365 * 86_400_000])
  })
})
