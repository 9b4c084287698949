import { strangerLimits } from '../../../../adapters/src/embedded-chain/public-rpc/public-limits.ts'

/**
 * Returns the gas to allow for what was estimated: what is paid out may cost more by then, and what
 * is not used is not paid. The chain of a server refuses more than it lets strangers use.
 */
export function gasToAllow(estimate: bigint, isThroughServer: boolean): bigint {
  const wanted = (estimate * 5n) / 4n + 30_000n
  const most = isThroughServer && estimate <= strangerLimits.gas ? strangerLimits.gas : wanted
  return wanted < most ? wanted : most
}
