import { publicLimits } from '../../../../adapters/src/embedded-chain/public-rpc/public-limits.ts'
import {
  gasOfDearestPurchase,
  gasOfPurchase,
} from '../../../../adapters/src/platform/gas-of-purchase.ts'

/**
 * Computes the gas limit from an estimate. It has a margin, because payments may need more gas by
 * then, and unused gas is free. The embedded chain refuses more than its public limit, and of a payment
 * more than its purchase may take, which only the server knows where the payment is dear.
 */
export function computeGasLimit(estimate: bigint, isThroughServer: boolean): bigint {
  const withMargin = (estimate * 5n) / 4n + 30_000n
  const limits = isThroughServer ? [publicLimits.gas, gasOfPurchase] : []
  const isDear = isThroughServer && estimate <= gasOfDearestPurchase
  const most = limits.find((limit) => estimate <= limit) ?? (isDear ? estimate : withMargin)
  return withMargin < most ? withMargin : most
}
