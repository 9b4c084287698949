import { publicLimits } from '../../../../adapters/src/embedded-chain/public-rpc/public-limits.ts'

/**
 * Computes the gas limit from an estimate. It has a margin, because payments may need more gas by
 * then, and unused gas is free. The embedded chain refuses more than its public limit.
 */
export function computeGasLimit(estimate: bigint, isThroughServer: boolean): bigint {
  const withMargin = (estimate * 5n) / 4n + 30_000n
  const most = isThroughServer && estimate <= publicLimits.gas ? publicLimits.gas : withMargin
  return withMargin < most ? withMargin : most
}
