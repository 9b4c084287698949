import { type Budget, digest, tokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectBalanced } from '../harness/nonce-lane/expect-balanced.ts'
import { content, mint, outcomeOf } from '../harness/nonce-lane/lane-fixture.ts'
import { laneHarness } from '../harness/nonce-lane/lane-harness.ts'

const harness = laneHarness()
const finney = 10n ** 15n

type Ledger = Awaited<ReturnType<typeof harness.fixture.open>>

const pay = (ledger: Ledger, budget: Budget, amount = wei(finney)) =>
  outcomeOf(ledger.payRoyalty({ tokenId: tokenId(1n), amount, budget }))

const isDone = (outcome: unknown) => typeof outcome === 'object'

/** Expects that a budget was not exceeded, and that no write was refused for another reason. */
function expectWithinBudget({ perDay }: Budget, outcomes: readonly unknown[], spent: bigint): void {
  const done = outcomes.filter(isDone).length
  expect(spent).toBeGreaterThanOrEqual(BigInt(done) * finney)
  const refusals = new Set(outcomes.filter((it) => !isDone(it)))
  refusals.delete('api-key/day-limit')
  expect(refusals).toEqual(new Set())
  if (perDay === undefined) expect(done).toBe(outcomes.length)
  else expect(spent).toBeLessThanOrEqual(perDay)
}

describe('a budget', () => {
  test('refuses a call above its call limit before it is signed', async () => {
    const ledger = await harness.fixture.open()
    const budget = { name: 'shop', perCall: wei(1n) }
    const write = ledger.mint({
      contentHash: content('a'),
      digest: content('a') as never,
      parent: undefined,
      recipient: ledger.agent,
      budget,
    })
    await expect(write).rejects.toMatchObject({
      code: 'api-key/call-limit',
      facts: { name: 'shop', limit: 1n },
    })
    expect(harness.countEvents('signed')).toBe(0)
    expect(await ledger.spentInName('shop')).toBe(0n)
  })

  test('that refused the first write leaves the next one the nonce of the chain', async () => {
    const ledger = await harness.fixture.open()
    const [one, budget] = [content('refused'), { name: 'shop', perCall: wei(1n) }]
    const terms = { contentHash: one, digest: digest(one), parent: undefined, budget }
    expect(await outcomeOf(ledger.mint({ ...terms, recipient: ledger.agent }))).toBe(
      'api-key/call-limit',
    )
    // The deployment has used nonces, of which the empty store knows nothing.
    await mint(ledger, 'next')
    expect(harness.countEvents('signed')).toBe(1)
  })

  test('is not exceeded in a day by any number of concurrent writes', async () => {
    const ledger = await harness.fixture.open()
    await mint(ledger, 'first')
    const names = fc.array(fc.constantFrom('one', 'two', 'free'), { minLength: 8, maxLength: 24 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(names, fc.integer({ min: 1, max: 9 }), async (chosen, share) => {
        run += 1
        const perDay = wei(BigInt(share) * finney)
        const budgets: Record<string, Budget> = {
          one: { name: `one ${run}`, perDay },
          two: { name: `two ${run}`, perDay: wei(2n * perDay) },
          free: { name: `free ${run}` },
        }
        const used = chosen.map((name) => budgets[name] as Budget)
        const outcomes = await Promise.all(used.map((budget) => pay(ledger, budget)))
        for (const budget of Object.values(budgets)) {
          const own = outcomes.filter((_, index) => used[index] === budget)
          expectWithinBudget(budget, own, await ledger.spentInName(budget.name))
        }
      }),
      { numRuns: 5 },
    )
  })

  test('is counted across restarts of the ledger', async () => {
    const first = await harness.fixture.open()
    await mint(first, 'first')
    const budget = { name: 'shop', perDay: wei(2n * finney) }
    expect(isDone(await pay(first, budget, wei(1n)))).toBe(true)
    expect(isDone(await pay(first, budget, wei(finney)))).toBe(true)
    const spent = await first.spentInName('shop')
    await first.close()
    const second = await harness.fixture.open()
    expect(await second.spentInName('shop')).toBe(spent)
    expect(await pay(second, budget, wei(finney))).toBe('api-key/day-limit')
    // The spending of one budget does not count against another.
    expect(isDone(await pay(second, { ...budget, name: 'agent' }, wei(1n)))).toBe(true)
  })

  test('is charged with its share of a transaction of several mints', async () => {
    const ledger = await harness.fixture.open()
    const names = Array.from({ length: 30 }, (_, index) => index)
    const mints = names.map((name) =>
      ledger.mint({
        contentHash: content(name),
        digest: content(name) as never,
        parent: undefined,
        recipient: ledger.agent,
        budget: { name: name % 2 === 0 ? 'even' : 'odd' },
      }),
    )
    await Promise.all(mints)
    const [even, odd] = [await ledger.spentInName('even'), await ledger.spentInName('odd')]
    expect(even + odd).toBe((await ledger.wallet()).spentToday)
    await expectBalanced(harness.fixture, names)
  })

  test('counts each day on its own', async () => {
    let now = Date.now()
    const ledger = await harness.fixture.open({ now: () => now })
    await mint(ledger, 'first')
    const budget = { name: 'shop', perDay: wei(2n * finney) }
    expect(isDone(await pay(ledger, budget))).toBe(true)
    expect(await pay(ledger, budget)).toBe('api-key/day-limit')
    now += 86_400_000
    expect(await ledger.spentInName('shop')).toBe(0n)
    expect(isDone(await pay(ledger, budget))).toBe(true)
  })
})
