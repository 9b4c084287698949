import { createPublicClient, custom, type PublicClient } from 'viem'
import { httpTransport, type NodeResponse } from '../platform/http-transport.ts'
import type { Means } from '../platform/means.ts'
import { soundReceipts } from './sound-receipts.ts'

/** A chain, in this process or elsewhere, that answers JSON-RPC requests (EIP-1193). */
export type Chain = {
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  /**
   * Returns the version of the newest state of a chain that never reorganises: calls on the newest
   * block have equal results at equal versions. Returns `undefined` while a transaction executes.
   */
  readonly stateVersion?: () => number | undefined
  /** Runs a task while no transaction of a client outside this process is mined. */
  readonly alone?: <T>(task: () => Promise<T>) => Promise<T>
  /** Asks another node than the one in use, if there is one. */
  readonly requestElsewhere?: Chain['request']
  /** Tells nodes elsewhere from a chain in this process. */
  readonly isRemote?: boolean
  /** The gas of any code of strangers in a call, on a chain in this process that bounds it. */
  readonly gasOfCode?: bigint
  /** Returns whether the chain answered when it was asked last; unknown when absent. */
  readonly isReachable?: () => boolean
  /** The nodes as the means of writing; absent for a chain in this process. */
  readonly means?: Means
}

/** Returns whether a chain is in this process. */
export const isLocalChain = (chain: Chain | URL): boolean =>
  !(chain instanceof URL) && chain.isRemote !== true

/** The longest time that a node may take to answer, in milliseconds. */
const nodeTimeout = 10_000

/** Returns a client for a chain: one at an HTTP address, which may be observed, or one called directly. */
export function connect(
  chain: Chain | URL,
  observe?: (response: NodeResponse) => void,
): PublicClient {
  // A node may close an idle connection just as it is used, so the HTTP transport retries once.
  const transport =
    chain instanceof URL
      ? httpTransport(chain, { retryDelay: 20, timeout: nodeTimeout, observe })
      : custom(chain, { retryCount: 0 })
  // Anybody may write a contract that sends its readers to an address elsewhere (ERC-3668), such as one
  // that only this machine reaches, again and again.
  const options = { pollingInterval: 50, cacheTime: 0, ccipRead: false } as const
  // Only a chain in this process runs tasks alone, and it contradicts itself nowhere.
  const isOwn = !(chain instanceof URL) && chain.alone !== undefined
  const sound = isOwn ? transport : soundReceipts(transport)
  return createPublicClient({ transport: sound, ...options })
}
