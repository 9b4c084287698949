import { Failure, isFailure } from '@heirloom/core'
import { type Hex, RpcError } from 'viem'
import { causes } from '../platform/causes.ts'
import { currencyOfCall } from './call-currency.ts'
import { dollarRefusal } from './dollar-refusal.ts'
import { executionFailure } from './execution-failure.ts'
import { failureOfRevert } from './revert.ts'

/**
 * Returns the node's answer to a call. The data of a call that is simulated tells the currency of the
 * amounts in its revert.
 *
 * @throws the failure that a revert names, `transaction/would-fail` for a call with data that fails
 * otherwise, or `ledger/unavailable`
 */
export async function callNode<T>(
  operation: string,
  call: () => Promise<T>,
  data?: Hex,
): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    const known = failureIn(cause, data) ?? (data && unnamedFailure(cause))
    throw known ?? new Failure('ledger/unavailable', { operation }, { cause })
  }
}

/** The longest reason that is passed on: a contract of others may choose it. */
const longestReason = 200

/** Returns the failure of a call that was executed and failed for a reason without a code. */
function unnamedFailure(cause: unknown): Failure | undefined {
  const text = executionFailure(cause)
  if (text === undefined) return undefined
  const reason = text.replace(/[^ -~]/g, ' ').slice(0, longestReason)
  return new Failure('transaction/would-fail', { reason }, { cause })
}

/**
 * Returns the failure in an error or its causes, or the one that the revert of a call with this data
 * names.
 */
export function failureIn(error: unknown, data: Hex = '0x'): Failure | undefined {
  const known = [...causes(error)].find((cause) => isFailure(cause))
  return known ?? failureOfRevert(error, currencyOfCall(data)) ?? dollarRefusal(error, data)
}

/** Returns whether the node refused a call. A lost connection and a timeout are no refusals. */
export function isRefusal(error: unknown): boolean {
  return [...causes(error)].some(
    (cause) => isFailure(cause) || (cause instanceof RpcError && cause.code < -1),
  )
}
