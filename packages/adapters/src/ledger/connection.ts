import { Failure, isFailure } from '@heirloom/core'
import { createPublicClient, custom, type PublicClient, RpcError } from 'viem'
import { httpTransport } from '../platform/http-transport.ts'
import { causes } from './causes.ts'
import { failureOfRevert } from './revert.ts'

/** A chain, in this process or elsewhere, that answers JSON-RPC requests (EIP-1193). */
export type Chain = {
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  /**
   * Returns the version of the newest state of a chain that never reorganises: calls on the newest
   * block have equal results at equal versions. Returns `undefined` while a transaction executes.
   */
  readonly stateVersion?: () => number | undefined
}

/** The longest time that a node may take to answer, in milliseconds. */
const nodeTimeout = 10_000

/** Returns a client for a chain: one at an HTTP address, or one called directly. */
export function connect(chain: Chain | URL): PublicClient {
  // A node may close an idle connection just as it is used, so the HTTP transport retries once.
  const transport =
    chain instanceof URL
      ? httpTransport(chain, { retryDelay: 20, timeout: nodeTimeout })
      : custom(chain, { retryCount: 0 })
  return createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 })
}

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
