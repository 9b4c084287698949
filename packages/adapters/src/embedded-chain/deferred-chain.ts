import { Failure } from '@heirloom/core'
import type { EmbeddedChain } from './embedded-chain.ts'

type Answering = Pick<EmbeddedChain, 'request' | 'stateVersion' | 'onState' | 'handleRpc'>

/** A chain that may be asked before it is open. */
export type AwaitedChain = Answering & {
  /** Tells whether questions no longer wait. */
  isOpen(): boolean
  /** Resolves once they no longer wait, or fails as the opening did. */
  readonly opened: Promise<void>
}

/**
 * Returns a chain of which every question waits until it is open, and fails with
 * `ledger/unavailable` when it could not be opened.
 */
export function awaited(opening: Promise<Answering>): AwaitedChain {
  let open: Answering | undefined
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const call of listeners) call()
  }
  const notice = (chain: Answering) => {
    open = chain
    chain.onState(tell)
    tell()
  }
  const opened = opening.then(notice)
  // Who only asks is told by the answers.
  opened.catch(() => undefined)
  const later = (operation: string): Promise<Answering> =>
    opening.catch((cause: unknown) => {
      throw new Failure('ledger/unavailable', { operation }, { cause })
    })
  return {
    isOpen: () => open !== undefined,
    opened,
    request: async (asked) => (open ?? (await later(asked.method))).request(asked),
    handleRpc: async (body, client) => (open ?? (await later('JSON-RPC'))).handleRpc(body, client),
    stateVersion: () => open?.stateVersion(),
    onState: (call) => {
      listeners.add(call)
      return () => listeners.delete(call)
    },
  }
}
