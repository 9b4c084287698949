import { type Budget, tokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { balanced } from '../harness/nonce-lane/expect-balanced.ts'
import { laneScene } from '../harness/nonce-lane/lane-harness.ts'
import { content, mint, outcomeOf } from '../harness/nonce-lane/lane-fixture.ts'

const scene = laneScene()
const finney = 10n ** 15n

type Ledger = Awaited<ReturnType<typeof scene.stage.open>>

const pay = (ledger: Ledger, budget: Budget, amount = wei(finney)) =>
  outcomeOf(ledger.payRoyalty({ tokenId: tokenId(1n), amount, budget }))

const isDone = (outcome: unknown) => typeof outcome === 'object'

/** Shows that a budget was not passed, and that it is the only reason why a write was refused. */
function requireKept({ perDay }: Budget, outcomes: readonly unknown[], spent: bigint): void {
  const done = outcomes.filter(isDone).length
  expect(spent).toBeGreaterThanOrEqual(BigInt(done) * finney)
  const refusals = new Set(outcomes.filter((it) => !isDone(it)))
  refusals.delete('api-key/day-limit')
  expect(refusals).toEqual(new Set())
  if (perDay === undefined) expect(done).toBe(outcomes.length)
  else expect(spent).toBeLessThanOrEqual(perDay)
}

describe('what may be spent in a name', () => {
  test('in one call is not passed, and nothing is signed', async () => {
    const ledger = await scene.stage.open()
    const budget = { name: 'shop', perCall: wei(1n) }
    const write = ledger.mint({
      ...{ contentHash: content('a'), digest: content('a') as never, parent: undefined },
      ...{ recipient: ledger.agent, budget },
    })
    await expect(write).rejects.toMatchObject({
      code: 'api-key/call-limit',
      facts: { name: 'shop', limit: 1n },
    })
    expect(scene.told('signed')).toBe(0)
    expect(await ledger.spentInName('shop')).toBe(0n)
  })

  test('in a day is passed by nobody, however many ask at once', async () => {
    const ledger = await scene.stage.open()
    await mint(ledger, 'first')
    const asked = fc.array(fc.constantFrom('one', 'two', 'free'), { minLength: 8, maxLength: 24 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(asked, fc.integer({ min: 1, max: 9 }), async (who, share) => {
        run += 1
        const perDay = wei(BigInt(share) * finney)
        const budgets: Record<string, Budget> = {
          one: { name: `one ${run}`, perDay },
          two: { name: `two ${run}`, perDay: wei(2n * perDay) },
          free: { name: `free ${run}` },
        }
        const budgetsAsked = who.map((name) => budgets[name] as Budget)
        const outcomes = await Promise.all(budgetsAsked.map((budget) => pay(ledger, budget)))
        for (const budget of Object.values(budgets)) {
          const own = outcomes.filter((_, at) => budgetsAsked[at] === budget)
          requireKept(budget, own, await ledger.spentInName(budget.name))
        }
      }),
      { numRuns: 5 },
    )
  })

  test('is counted beyond the ledger that counted it, and the books are right', async () => {
    const first = await scene.stage.open()
    await mint(first, 'first')
    const budget = { name: 'shop', perDay: wei(2n * finney) }
    expect(isDone(await pay(first, budget, wei(1n)))).toBe(true)
    expect(isDone(await pay(first, budget, wei(finney)))).toBe(true)
    const spent = await first.spentInName('shop')
    await first.close()
    const second = await scene.stage.open()
    expect(await second.spentInName('shop')).toBe(spent)
    expect(await pay(second, budget, wei(finney))).toBe('api-key/day-limit')
    // A name that spent nothing is not held back by one that did.
    expect(isDone(await pay(second, { ...budget, name: 'agent' }, wei(1n)))).toBe(true)
  })

  test('is split among the mints of one transaction', async () => {
    const ledger = await scene.stage.open()
    const names = Array.from({ length: 30 }, (_, index) => index)
    const minted = names.map((name) =>
      ledger.mint({
        ...{ contentHash: content(name), digest: content(name) as never, parent: undefined },
        ...{ recipient: ledger.agent, budget: { name: name % 2 === 0 ? 'even' : 'odd' } },
      }),
    )
    await Promise.all(minted)
    const [even, odd] = [await ledger.spentInName('even'), await ledger.spentInName('odd')]
    expect(even + odd).toBe((await ledger.wallet()).spentToday)
    await balanced(scene.stage, names)
  })

  test('counts for the day on which it was spent', async () => {
    let now = Date.now()
    const ledger = await scene.stage.open({ now: () => now })
    await mint(ledger, 'first')
    const budget = { name: 'shop', perDay: wei(2n * finney) }
    expect(isDone(await pay(ledger, budget))).toBe(true)
    expect(await pay(ledger, budget)).toBe('api-key/day-limit')
    now += 86_400_000
    expect(await ledger.spentInName('shop')).toBe(0n)
    expect(isDone(await pay(ledger, budget))).toBe(true)
  })
})
