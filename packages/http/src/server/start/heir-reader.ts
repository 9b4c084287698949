import type { ViemLedger } from '@heirloom/adapters/ledger'
import { type Clock, later } from '@heirloom/core'
import type { ReadHeir } from '../operations/accounts.ts'

/**
 * Returns the reader of heirs. The time is that of a block mined now: a chain without traffic has an old
 * block, and one whose time was moved on has a late one.
 */
export const heirReader =
  ({ readHeirPlan }: Pick<ViemLedger, 'readHeirPlan'>, { now }: Clock): ReadHeir =>
  async (account) => {
    const { plan, asOf } = await readHeirPlan(account)
    return { plan, now: later(asOf, now()) }
  }
