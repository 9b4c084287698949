import { Failure, isFailure } from '@heirloom/core'
import { RpcError } from 'viem'
import { causes } from './causes.ts'
import { failureOfRevert } from './revert.ts'

/**
 * Returns the node's answer to a call.
 *
 * @throws the failure that a revert names, or `ledger/unavailable`
 */
export async function callNode<T>(operation: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    throw failureIn(cause) ?? new Failure('ledger/unavailable', { operation }, { cause })
  }
}

/** Returns the failure in an error or its causes, or the one that the data of a revert names. */
export function failureIn(error: unknown): Failure | undefined {
  return [...causes(error)].find((cause) => isFailure(cause)) ?? failureOfRevert(error)
}

/** Returns whether the node refused a call. A lost connection and a timeout are no refusals. */
export function isRefusal(error: unknown): boolean {
  return [...causes(error)].some(
    (cause) => isFailure(cause) || (cause instanceof RpcError && cause.code < -1),
  )
}
