import { Failure } from '@heirloom/core'
import { type Hex, isHex, size } from 'viem'
import { setNextTimestamp } from './block.ts'
import type { RpcRequest } from './evm.ts'
import type { GasBounds } from './gas-bounds.ts'
import { mutex } from './mutex.ts'
import { executionOf, withGasCap } from './public-rpc/bounded-call.ts'
import { executes, readsNextBlock, requireStandard } from './public-rpc/methods.ts'
import { RpcError, rpcCode } from './public-rpc/rpc-error.ts'
import { sender } from './sender.ts'
import { stateVersion } from './state-version.ts'
import { withoutDefaultAccount } from './without-default-account.ts'

/** The embedded chain as its clients in this process use it. */
export type Node = {
  request(request: RpcRequest): Promise<unknown>
  /**
   * Returns the version of the newest state: while it is equal, calls on the newest block return the
   * same. Absent while a transaction is being mined, and once the chain is closed.
   */
  stateVersion(): number | undefined
  /** Registers a listener for changes of the state; returns a function that removes it. */
  onState(listener: () => void): () => void
  close(): Promise<void>
}

export declare namespace openNode {
  type Parts = sender.Parts & {
    /** The bounds of calls, and of estimates; absent for none. */
    readonly bounds?: GasBounds | undefined
  }
}

/**
 * Opens a node that accepts only standard methods, and one transaction at a time. Calls that may run the
 * code of strangers are executed one at a time with little gas, because the EVM keeps every step and all
 * data of an execution until its worker frees them.
 */
export function openNode(parts: openNode.Parts): Node {
  const { evm, journal, bounds } = parts
  const requestEvm = withoutDefaultAccount(evm)
  const { nextTimestamp, send } = sender(parts)
  const [writes, strangers] = [mutex(), mutex()]
  const state = stateVersion()
  let closing: Promise<void> | undefined

  const request = async ({ method, params = [] }: RpcRequest): Promise<unknown> => {
    requireStandard(method)
    if (!Array.isArray(params)) throw new RpcError(rpcCode.invalidParams, 'Params must be a list.')
    if (closing) throw new Failure('ledger/unavailable', { operation: method })
    if (method === 'eth_sendRawTransaction') {
      const raw = rawTransaction(params)
      return writes.run(() => state.changing(() => send(raw)))
    }
    if (!readsNextBlock(method, params)) return execute(method, params)
    return writes.run(async () => {
      await setNextTimestamp(evm, await nextTimestamp())
      return executeBounded(method, params)
    })
  }
  const execute = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const isFixed = !executes(method) || bounds?.dependsOnState(executionOf(params)) !== true
    // Otherwise an account could get code between its bound and its call.
    return isFixed
      ? executeBounded(method, params)
      : writes.run(() => executeBounded(method, params))
  }
  const executeBounded = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const most = executes(method) ? await bounds?.most(executionOf(params)) : undefined
    if (most === undefined) return requestEvm({ method, params })
    return strangers.run(() => requestEvm({ method, params: withGasCap(params, most) }))
  }
  const close = async (): Promise<void> => {
    await writes.empty()
    journal.close()
    await evm.close()
  }
  return {
    request,
    stateVersion: () => (closing ? undefined : state.version()),
    onState: state.onChange,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** Returns the signed transaction in the parameters of `eth_sendRawTransaction`. */
export function rawTransaction(params: readonly unknown[]): Hex {
  const [raw] = params
  if (params.length === 1 && isHex(raw) && raw.length % 2 === 0 && size(raw) > 0) return raw
  throw new RpcError(rpcCode.invalidParams, 'Params must hold one signed transaction, in hex.')
}
