import { Failure } from '@heirloom/core'
import { type Hex, isHex, size, zeroAddress } from 'viem'
import { setNextTimestamp } from './block.ts'
import type { Evm, RpcRequest } from './evm.ts'
import type { GasBounds } from './gas-bounds.ts'
import { type Mutex, mutex } from './mutex.ts'
import { executionOf, withGasCap } from './public-rpc/bounded-call.ts'
import { isRecord } from './public-rpc/json-rpc.ts'
import { executes, readsNextBlock, requireStandard } from './public-rpc/methods.ts'
import { RpcError, rpcCode } from './public-rpc/rpc-error.ts'
import { sender } from './sender.ts'

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
  const { nextTimestamp, send, answerTo } = sender(parts)
  const [writes, large] = [mutex(), mutex()]
  const { atOnce, inOrder } = boundedRequests({ requestEvm, bounds, writes, large })
  const state = stateVersion()
  let closing: Promise<void> | undefined

  const request = async ({ method, params = [] }: RpcRequest): Promise<unknown> => {
    requireStandard(method)
    if (!Array.isArray(params)) throw new RpcError(rpcCode.invalidParams, 'Params must be a list.')
    if (closing) throw new Failure('ledger/unavailable', { operation: method })
    if (method === 'eth_sendRawTransaction') {
      const raw = rawTransaction(params)
      return writes.run(() => large.run(() => state.changing(() => send(raw))))
    }
    if (!readsNextBlock(method, params)) return execute(method, params)
    const prepare = async () => setNextTimestamp(evm, await nextTimestamp())
    return inOrder({ method, params }, prepare)
  }
  const execute = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const known = executes(method) ? undefined : answerTo({ method, params })
    if (known !== undefined) return known
    const isFixed = !executes(method) || bounds?.dependsOnState(executionOf(params)) !== true
    // Otherwise an account could get code between its bound and its call.
    return isFixed ? atOnce({ method, params }) : inOrder({ method, params })
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

type BoundedParts = {
  readonly requestEvm: Evm['request']
  readonly bounds: GasBounds | undefined
  /** The lines of those who need the next block, and of those who take much memory. */
  readonly writes: Mutex
  readonly large: Mutex
}

type Listed = { readonly method: string; readonly params: readonly unknown[] }

/** Returns how requests run at once, and how in order with the transactions: foreign code one at a time. */
function boundedRequests({ requestEvm, bounds, writes, large }: BoundedParts) {
  const strangers = mutex()
  const mostGas = async ({ method, params }: Listed): Promise<bigint | undefined> =>
    executes(method) ? bounds?.most(executionOf(params)) : undefined
  const run = async ({ method, params }: Listed, inTurn: Mutex['run']): Promise<unknown> => {
    const most = await mostGas({ method, params })
    if (most === undefined) return requestEvm({ method, params })
    const capped = withGasCap(params, most)
    // A write waits for one of them at most, and none is under way while a write is mined.
    return inTurn(() => large.run(() => requestEvm({ method, params: capped })))
  }
  return {
    atOnce: (request: Listed) => run(request, strangers.run),
    inOrder: async (request: Listed, prepare?: () => Promise<unknown>): Promise<unknown> => {
      const ordered = () =>
        writes.run(async () => {
          await prepare?.()
          return run(request, (task) => task())
        })
      // Of all calls of strangers, one waits among the transactions.
      return (await mostGas(request)) === undefined ? ordered() : strangers.run(ordered)
    },
  }
}

/** Returns the signed transaction in the parameters of `eth_sendRawTransaction`. */
export function rawTransaction(params: readonly unknown[]): Hex {
  const [raw] = params
  if (params.length === 1 && isHex(raw) && raw.length % 2 === 0 && size(raw) > 0) return raw
  throw new RpcError(rpcCode.invalidParams, 'Params must hold one signed transaction, in hex.')
}

const calls: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas'])

/** Returns the requests of an EVM that has an account, as if it had none. */
const withoutDefaultAccount =
  (evm: Evm): Evm['request'] =>
  async ({ method, params }) => {
    if (method === 'eth_accounts') return []
    // A call without `from` would have the first account as its caller.
    return evm.request({ method, params: calls.has(method) ? withCaller(params) : params })
  }

function withCaller(params: unknown): unknown {
  if (!Array.isArray(params) || !isRecord(params[0])) return params
  const [call, ...rest] = params
  return [{ from: zeroAddress, ...call }, ...rest]
}

/** A counter of changes, with which a reader detects that a state is still the same. */
type StateVersion = {
  /** Returns a number that is equal for equal states; absent while a change is under way. */
  version(): number | undefined
  /** Runs a change of the state. */
  changing<T>(change: () => Promise<T>): Promise<T>
  /** Registers a listener for changes; returns a function that removes it. */
  onChange(listener: () => void): () => void
}

/** Returns the version of a state that changes only within `changing`. */
export function stateVersion(): StateVersion {
  let changes = 0
  let underWay = 0
  const listeners = new Set<() => void>()
  return {
    // A reader cannot know at which moment within a change the state becomes the new one.
    version: () => (underWay > 0 ? undefined : changes),
    changing: async (change) => {
      underWay += 1
      try {
        return await change()
      } finally {
        underWay -= 1
        changes += 1
        for (const listener of listeners) listener()
      }
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
