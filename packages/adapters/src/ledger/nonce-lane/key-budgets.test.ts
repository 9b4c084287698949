import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { wei } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { budgetOf, budgetToText, chargeBudgets, spentInName } from './key-budgets.ts'
import { spend, spentOn } from './spend-limit.ts'
import { sqliteStore } from '../../job-store/sqlite.ts'

const names = ['shop', 'agent', 'night shift'] as const
const amount = fc.bigInt({ min: 0n, max: 2n ** 90n })
const rowsOf = fc.array(
  fc.option(fc.constantFrom(...names)).map((name) => ({
    budget: name === null ? null : budgetToText({ name }),
  })),
  { minLength: 1, maxLength: 9 },
)
const place = { lane: 'a lane', day: 20_000 }

async function spentByAll(store: Awaited<ReturnType<typeof sqliteStore>>) {
  const spent = names.map((name) => spentInName(store.db, { ...place, name }))
  return (await Promise.all(spent)).reduce((sum, it) => sum + it, 0n)
}

describe('a budget', () => {
  test('comes back from its text as it was', () => {
    const limit = fc.option(amount.map(wei), { nil: undefined })
    const budget = fc.record({ name: fc.string(), perCall: limit, perDay: limit })
    fc.assert(
      fc.property(budget, (given) => {
        expect(budgetOf({ budget: budgetToText(given) })).toEqual(given)
      }),
    )
    expect(budgetOf({ budget: null })).toBeUndefined()
  })

  test('of each job loses its part, and all parts are what the wallet loses', async () => {
    const named = rowsOf.filter((rows) => rows.every(({ budget }) => budget !== null))
    await fc.assert(
      fc.asyncProperty(named, fc.array(amount, { minLength: 1 }), async (rows, totals) => {
        const store = await sqliteStore(':memory:')
        let before = 0n
        for (const after of totals) {
          await spend(store.db, { ...place, rows, before, after })
          before = after
          expect(await spentOn(store.db, place)).toBe(after)
          expect(await spentByAll(store)).toBe(after)
        }
        await spend(store.db, { ...place, rows, before, after: 0n })
        expect(await spentByAll(store)).toBe(0n)
        await store.close()
      }),
      { numRuns: 30 },
    )
  })

  test('is never passed, whatever else is refused, and jobs without one are not its own', async () => {
    const charges = fc.array(fc.tuple(rowsOf, amount), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(amount.map(wei), charges, async (perDay, all) => {
        const store = await sqliteStore(':memory:')
        for (const [rows, after] of all) {
          const limited = rows.map(({ budget }) => {
            const name = budgetOf({ budget })?.name
            return { budget: name === undefined ? null : budgetToText({ name, perDay }) }
          })
          const charge = { ...place, rows: limited, before: 0n, after, limited: true }
          const refused = store.commit((trx) => chargeBudgets(trx, charge))
          await refused.catch((error: unknown) =>
            expect(error).toMatchObject({ code: 'api-key/day-limit', facts: { limit: perDay } }),
          )
          for (const name of names) {
            expect(await spentInName(store.db, { ...place, name })).toBeLessThanOrEqual(perDay)
          }
        }
        await store.close()
      }),
      { numRuns: 30 },
    )
  })
})

test('a job store that an earlier version made is refused with what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'jobs.sqlite')
  await (await sqliteStore(path)).close()
  const earlier = new DatabaseSync(path)
  earlier.exec('ALTER TABLE job DROP COLUMN budget')
  earlier.close()
  await expect(sqliteStore(path)).rejects.toMatchObject({
    code: 'folder/unusable',
    message: expect.stringContaining('move it away'),
  })
})
