import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { wei } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { spentOn } from '../../../store/spending.ts'
import { sqliteStore } from '../../../store/sqlite.ts'
import { budgetsOf, budgetsToText, chargeBudgets, spentFromBudget } from './key-budgets.ts'
import { spend } from './spend-limit.ts'

const names = ['shop', 'agent', 'night shift'] as const
const amount = fc.bigInt({ min: 0n, max: 2n ** 90n })
const arbitraryRows = fc.array(
  fc.option(fc.constantFrom(...names)).map((name) => ({
    budget: name === null ? null : budgetsToText([{ name }]),
  })),
  { minLength: 1, maxLength: 9 },
)
const laneDay = { lane: 'a lane', day: 20_000 }

async function spentInAll(store: Awaited<ReturnType<typeof sqliteStore>>) {
  const spent = names.map((name) => spentFromBudget(store.db, { ...laneDay, name }))
  return (await Promise.all(spent)).reduce((sum, it) => sum + it, 0n)
}

describe('a budget', () => {
  test('is decoded from its text unchanged', () => {
    const limit = fc.option(amount.map(wei), { nil: undefined })
    const budget = fc.record({ name: fc.string(), perCall: limit, perDay: limit })
    fc.assert(
      fc.property(budget, (given) => {
        expect(budgetsOf({ budget: budgetsToText([given]) })).toEqual([given])
        const two = [given, { name: 'another' }]
        expect(budgetsOf({ budget: budgetsToText(two) })).toEqual(two)
      }),
    )
    expect(budgetsOf({ budget: budgetsToText([]) })).toEqual([])
  })

  test('is charged with its share, and the shares add up to the cost of the transaction', async () => {
    const named = arbitraryRows.filter((rows) => rows.every(({ budget }) => budget !== null))
    await fc.assert(
      fc.asyncProperty(named, fc.array(amount, { minLength: 1 }), async (rows, totals) => {
        const store = await sqliteStore(':memory:')
        let before = 0n
        for (const after of totals) {
          await spend(store.db, { ...laneDay, rows, before, after })
          before = after
          expect(await spentOn(store.db, laneDay)).toBe(after)
          expect(await spentInAll(store)).toBe(after)
        }
        await spend(store.db, { ...laneDay, rows, before, after: 0n })
        expect(await spentInAll(store)).toBe(0n)
        await store.close()
      }),
      { numRuns: 30 },
    )
  })

  test('is never exceeded, and jobs without a budget do not count against one', async () => {
    const charges = fc.array(fc.tuple(arbitraryRows, amount), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(amount.map(wei), charges, async (perDay, all) => {
        const store = await sqliteStore(':memory:')
        for (const [rows, after] of all) {
          const limitedRows = rows.map(({ budget }) => {
            const name = budgetsOf({ budget })[0]?.name
            return { budget: name === undefined ? null : budgetsToText([{ name, perDay }]) }
          })
          const charge = { ...laneDay, rows: limitedRows, before: 0n, after, limited: true }
          const refused = store.commit((trx) => chargeBudgets(trx, charge))
          await refused.catch((error: unknown) =>
            expect(error).toMatchObject({ code: 'api-key/day-limit', facts: { limit: perDay } }),
          )
          for (const name of names) {
            expect(await spentFromBudget(store.db, { ...laneDay, name })).toBeLessThanOrEqual(
              perDay,
            )
          }
        }
        await store.close()
      }),
      { numRuns: 30 },
    )
  })
})

test('a job store of an earlier version is refused with advice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'jobs.sqlite')
  await (await sqliteStore(path)).close()
  const earlier = new DatabaseSync(path)
  // It recorded no version of its tables, and had no budgets.
  const versions = ['job_version', 'job_version_added', 'job_version_lock']
  earlier.exec(versions.map((it) => `DROP TABLE ${it}`).join(';'))
  earlier.exec('ALTER TABLE job DROP COLUMN budget')
  earlier.close()
  await expect(sqliteStore(path)).rejects.toMatchObject({
    code: 'folder/unusable',
    message: expect.stringContaining('move it away'),
  })
})
