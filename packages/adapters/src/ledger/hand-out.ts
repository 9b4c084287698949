import type { Account, Receipt } from '@heirloom/core'
import { encodeFunctionData, type Hex } from 'viem'
import { faucetAbi } from './nonce-lane/answers/known-acts.ts'
import type { NonceLane } from './nonce-lane/nonce-lane.ts'

/**
 * Makes test dollars of the embedded chain for an account; the wallet of the lane pays the gas.
 *
 * @throws the failures of every write of a ledger
 */
export async function handOut(
  lane: Pick<NonceLane, 'execute'>,
  gift: { readonly dollar: Hex; readonly to: Account; readonly amount: bigint },
): Promise<Receipt> {
  const args = [gift.to, gift.amount] as const
  const data = encodeFunctionData({ abi: faucetAbi, functionName: 'faucet', args })
  const { txHash } = await lane.execute({ operation: 'handOut', to: gift.dollar, data, value: 0n })
  return { txHash }
}
