import { type Budget, Failure, wei } from '@heirloom/core'
import type { Kysely } from 'kysely'
import { type Database, type LaneId, unknownSpender } from '../../../store/schema.ts'
import {
  type LaneDay,
  lockSpendingInName,
  spentInNames,
  writeSpentInName,
} from '../../../store/spending.ts'
import type { JobRow } from '../job-row.ts'

/** Returns the text that stores the budgets of a job: one as an object, several as a list. */
export function budgetsToText(budgets: readonly Budget[]): string | null {
  const [first, ...others] = budgets.map(({ name, perCall, perDay, spansWallets }) => ({
    name,
    perCall: perCall?.toString(),
    perDay: perDay?.toString(),
    ...(spansWallets && { spansWallets }),
  }))
  if (first === undefined) return null
  return JSON.stringify(others.length === 0 ? first : [first, ...others])
}

type StoredBudget = {
  readonly name: string
  readonly perCall?: string
  readonly perDay?: string
  readonly spansWallets?: true
}

/** Returns the budgets that a job counts against. */
export function budgetsOf({ budget }: Pick<JobRow, 'budget'>): readonly Budget[] {
  if (budget === null) return []
  const stored: readonly StoredBudget[] = [JSON.parse(budget)].flat()
  return stored.map(({ name, perCall, perDay, spansWallets }) => ({
    name,
    ...(spansWallets && { spansWallets }),
    ...(perCall !== undefined && { perCall: wei(perCall) }),
    ...(perDay !== undefined && { perDay: wei(perDay) }),
  }))
}

/**
 * Requires that `share`, the cost of one job of a transaction, is within the call limit of each
 * job's budget.
 *
 * @throws `api-key/call-limit`
 */
export function requireBudgetCallLimit(
  rows: readonly Pick<JobRow, 'budget'>[],
  share: bigint,
): void {
  for (const budget of rows.flatMap(budgetsOf)) requirePerCall(budget, share)
}

/** Requires that a cost is within the call limit of a budget. @throws `api-key/call-limit` */
export function requirePerCall({ name, perCall: limit }: Budget, cost: bigint): void {
  if (limit === undefined || cost <= limit) return
  throw new Failure('api-key/call-limit', { name, needed: wei(cost), limit })
}

/** Requires that a cost is within what a day's limit leaves. @throws `api-key/day-limit` */
export function requirePerDay(
  { name, perDay: limit }: Budget,
  { spent, cost }: { readonly spent: bigint; readonly cost: bigint },
): void {
  if (limit === undefined || cost <= 0n || spent + cost <= limit) return
  throw new Failure('api-key/day-limit', { name, needed: wei(cost), spent: wei(spent), limit })
}

/** The name of a budget, and whether all wallets count. */
export type BudgetName = Pick<Budget, 'name' | 'spansWallets'>

type OfDay = LaneDay & BudgetName

/** The name of the lane whose spending stands for that of all lanes together. */
const everyLane = '*'

const placeOf = ({ spansWallets, name, ...of }: OfDay): LaneDay & { readonly name: string } =>
  spansWallets ? { ...of, name, lane: everyLane } : { ...of, name }

/**
 * Returns the amount that counts against a budget on a day, as `spentOn` does for the wallet: what was
 * spent in its name, and what nobody knows the spender of.
 */
export async function spentFromBudget(db: Kysely<Database>, budget: OfDay): Promise<bigint> {
  const { own, unknown } = await readSpending(db, budget)
  return own + unknown
}

async function readSpending(db: Kysely<Database>, of: OfDay) {
  const { name } = of
  const spentBy = await spentInNames(db, placeOf(of), [name])
  const unknown = await spentInNames(db, of, [unknownSpender])
  return { own: spentBy(name), unknown: unknown(unknownSpender) }
}

/** A change of a transaction's cost, in wei; the jobs in `rows` share it equally. */
export type Charge = {
  readonly lane: LaneId
  readonly day: number
  readonly rows: readonly Pick<JobRow, 'budget'>[]
  readonly before: bigint
  readonly after: bigint
  /** Whether the day limits of the budgets apply. */
  readonly limited: boolean
}

/**
 * Adds a change of cost to the spending of each budget.
 *
 * @throws `api-key/day-limit`
 */
export async function chargeBudgets(trx: Kysely<Database>, charge: Charge): Promise<void> {
  const { lane, day, limited } = charge
  for (const { change, ...budget } of changesOf(charge)) {
    const { name, spansWallets } = budget
    const of = { lane, day, name, spansWallets }
    // Other lanes commit at the same time.
    if (spansWallets) await lockSpendingInName(trx, placeOf(of))
    const { own, unknown } = await readSpending(trx, of)
    if (limited) requirePerDay(budget, { spent: own + unknown, cost: change })
    await writeSpentInName(trx, placeOf(of), own + change)
  }
}

type Change = Budget & { readonly change: bigint }

/** Returns the change for each budget, sorted by name, since one order avoids deadlocks. */
function changesOf({ rows, before, after }: Charge): readonly Change[] {
  const changes = new Map<string, Change>()
  for (const [index, row] of rows.entries()) {
    const share = shareOf(after, index, rows.length) - shareOf(before, index, rows.length)
    for (const budget of budgetsOf(row)) {
      const { change = 0n } = changes.get(budget.name) ?? {}
      changes.set(budget.name, { ...budget, change: change + share })
    }
  }
  return [...changes.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Returns one of `count` nearly equal shares; their sum is exactly the whole. */
const shareOf = (whole: bigint, index: number, count: number): bigint =>
  (whole * BigInt(index + 1)) / BigInt(count) - (whole * BigInt(index)) / BigInt(count)
