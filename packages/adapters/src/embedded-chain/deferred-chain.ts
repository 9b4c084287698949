import { Failure } from '@heirloom/core'
import type { EmbeddedChain } from './embedded-chain.ts'

type OpenChain = Pick<EmbeddedChain, 'request' | 'stateVersion' | 'onState' | 'alone' | 'handleRpc'>

/** A chain that accepts requests before it is open. */
export type DeferredChain = OpenChain & {
  /** Reports whether the chain is open, so that requests no longer wait. */
  isOpen(): boolean
  /** Resolves once the chain is open, or rejects as its opening did. */
  readonly opened: Promise<void>
}

/**
 * Returns a chain whose requests wait until it is open, and fail with `ledger/unavailable` when it
 * could not be opened.
 */
export function deferredChain(opening: Promise<OpenChain>): DeferredChain {
  let open: OpenChain | undefined
  const listeners = new Set<() => void>()
  const notifyAll = () => {
    for (const listener of listeners) listener()
  }
  const finishOpening = (chain: OpenChain) => {
    open = chain
    chain.onState(notifyAll)
    notifyAll()
  }
  const opened = opening.then(finishOpening)
  // A caller that does not await `opened` sees the failure in its requests.
  opened.catch(() => undefined)
  const waitFor = (operation: string): Promise<OpenChain> =>
    opening.catch((cause: unknown) => {
      throw new Failure('ledger/unavailable', { operation }, { cause })
    })
  return {
    isOpen: () => open !== undefined,
    opened,
    request: async (call) => (open ?? (await waitFor(call.method))).request(call),
    alone: async (task) => (open ?? (await waitFor('alone'))).alone(task),
    handleRpc: async (body, client) =>
      (open ?? (await waitFor('JSON-RPC'))).handleRpc(body, client),
    stateVersion: () => open?.stateVersion(),
    onState: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
