import { digest, tokenId, wei } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { balanced } from '../harness/nonce-lane/expect-balanced.ts'
import { laneScene } from '../harness/nonce-lane/lane-harness.ts'
import { content, mint, outcomeOf, until } from '../harness/nonce-lane/lane-fixture.ts'

const scene = laneScene()

describe('a write', () => {
  test('is answered after as many blocks as are asked for', async () => {
    await scene.chain.mine({ blocks: 3 })
    const ledger = await scene.stage.open({ confirmations: 3 })
    let answered = false
    const minted = mint(ledger, 'a').finally(() => {
      answered = true
    })
    await until(async () => (await scene.stage.minted()).length === 1)
    expect(await ledger.provenance(tokenId(1n))).toBeUndefined()
    await scene.chain.mine({ blocks: 1 })
    expect(answered).toBe(false)
    await scene.chain.mine({ blocks: 1 })
    expect(await ledger.provenance((await minted).tokenId)).toMatchObject({ tokenId: 1n })
  })

  test('that nobody can make takes none of its neighbours along', async () => {
    const ledger = await scene.stage.open()
    await mint(ledger, 'first')
    const contentHash = content('bad')
    const unknown = { digest: digest(contentHash), parent: tokenId(99n) }
    const bad = { contentHash, ...unknown, recipient: ledger.agent }
    const names = Array.from({ length: 20 }, (_, index) => index)
    const asked = names.map((name) => outcomeOf(name === 7 ? ledger.mint(bad) : mint(ledger, name)))
    const outcomes = await Promise.all(asked)
    expect(outcomes[7]).toBe('token/not-found')
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(19)
    await balanced(scene.stage, ['first', ...names.filter((name) => name !== 7)])
  })

  test('joins others under load, and goes alone on an idle lane', async () => {
    const ledger = await scene.stage.open()
    await mint(ledger, 'alone')
    await Promise.all(Array.from({ length: 100 }, (_, index) => mint(ledger, index)))
    const sizes = scene.stage.events.flatMap((event) =>
      event.kind === 'signed' ? [event.jobs] : [],
    )
    expect(sizes[0]).toBe(1)
    expect(Math.max(...sizes)).toBeGreaterThan(50)
  })
})

describe('what may be spent', () => {
  test('in one call is not passed by any, and nothing is signed', async () => {
    const ledger = await scene.stage.open({ limits: { perCall: wei(1n) } })
    expect(await outcomeOf(mint(ledger, 'a'))).toBe('wallet/call-limit')
    expect(scene.told('signed')).toBe(0)
    await balanced(scene.stage, [])
  })

  test('in a day is not passed by many at once', async () => {
    const perDay = wei(10n ** 16n)
    const ledger = await scene.stage.open({ limits: { perDay } })
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

  test('in a day is counted anew the next day, and clocks may jump', async () => {
    let now = Date.now()
    const ledger = await scene.stage.open({ now: () => now })
    await mint(ledger, 'today')
    const { spentToday } = await ledger.wallet()
    expect(spentToday).toBe(await scene.stage.paid())
    for (const jump of [86_400_000, -3 * 86_400_000, 365 * 86_400_000]) {
      now += jump
      expect((await ledger.wallet()).spentToday).toBe(0n)
      await mint(ledger, jump)
      expect((await ledger.wallet()).spentToday).toBeGreaterThan(0n)
    }
    await balanced(scene.stage, ['today', 86_400_000, -3 * 86_400_000, 365 * 86_400_000])
  })
})
