import type { Budget } from '@heirloom/core'
import type { PublicClient } from 'viem'
import { callNode } from '../node-call.ts'
import { feesOf } from '../nonce-lane/answers/known-chain.ts'
import { requirePerCall, requirePerDay } from '../nonce-lane/fees/key-budgets.ts'
import type { NonceLane } from '../nonce-lane/nonce-lane.ts'

type Parts = { readonly client: PublicClient; readonly lane: Pick<NonceLane, 'spentFromBudget'> }

/** The gas of the deployment of a passkey's account. */
export const gasOfDeployment = 214_000n

/**
 * Requires that the budgets of an act have room for it after the deployment of its account.
 *
 * @throws `api-key/call-limit`, `api-key/day-limit`, `ledger/unavailable`
 */
export async function requireRoom(
  { client, lane }: Parts,
  budgets: readonly Budget[],
  gasOfAct: bigint,
): Promise<void> {
  const [{ baseFeePerGas }, tip] = await callNode('eth_getBlockByNumber', () =>
    Promise.all([client.getBlock(), client.estimateMaxPriorityFeePerGas()]),
  )
  const { maxFeePerGas } = feesOf({ baseFee: baseFeePerGas ?? 0n, tip })
  for (const budget of budgets) {
    requirePerCall(budget, gasOfAct * maxFeePerGas)
    const cost = (gasOfDeployment + gasOfAct) * maxFeePerGas
    requirePerDay(budget, { spent: await lane.spentFromBudget(budget), cost })
  }
}
