import { Failure, isFailure } from '@heirloom/core'
import { createPublicClient, custom, type PublicClient, RpcError } from 'viem'
import { httpTransport } from '../platform/http-transport.ts'
import { causes } from './causes.ts'
import { failureOfRevert } from './revert.ts'

/** A chain in this process or elsewhere that answers JSON-RPC calls, as EIP-1193 spells them. */
export type Chain = {
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  /**
   * Names the newest state of a chain that never takes back a block: equal numbers, equal answers
   * of calls on the newest block. Absent while a transaction is being carried out.
   */
  readonly stateVersion?: () => number | undefined
}

/** How long a node may take to answer, in milliseconds, before it counts as gone. */
const answerWithin = 10_000

/** Returns a client of a chain: one at an HTTP address, or one that is asked directly. */
export function connect(chain: Chain | URL): PublicClient {
  // A node may close an idle connection just as it is used, so a question is asked twice.
  const transport =
    chain instanceof URL
      ? httpTransport(chain, { retryDelay: 20, timeout: answerWithin })
      : custom(chain, { retryCount: 0 })
  return createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 })
}

/**
 * Returns what the chain answers.
 *
 * @throws the failure that a revert names, or `ledger/unavailable`
 */
export async function ask<T>(operation: string, question: () => Promise<T>): Promise<T> {
  try {
    return await question()
  } catch (cause) {
    throw failureIn(cause) ?? new Failure('ledger/unavailable', { operation }, { cause })
  }
}

/** Returns the failure that an error carries, or that a contract named when it refused a call. */
export function failureIn(error: unknown): Failure | undefined {
  return [...causes(error)].find((cause) => isFailure(cause)) ?? failureOfRevert(error)
}

/** Tells whether the node itself refused a call; a lost connection or a late answer is no refusal. */
export function isRefusal(error: unknown): boolean {
  return [...causes(error)].some(
    (cause) => isFailure(cause) || (cause instanceof RpcError && cause.code < -1),
  )
}
