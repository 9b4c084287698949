import { Failure, isFailure } from '@heirloom/core'
import { type ChainOptions, type EvmJob, evmWorker } from './evm-worker.ts'
import { type EdrError, RpcError, rpcCode, rpcErrorOf } from './public-rpc/rpc-error.ts'

/** A JSON-RPC call (EIP-1193). */
export type RpcRequest = { readonly method: string; readonly params?: unknown }

/** An EVM chain in this process with a JSON-RPC interface. */
export type Evm = {
  request(request: RpcRequest): Promise<unknown>
  /** Handles requests one after another; the first error ends the list and is thrown. */
  requestAll(requests: readonly RpcRequest[]): Promise<readonly unknown[]>
  close(): Promise<void>
}

export declare namespace openEvm {
  type Options = ChainOptions
}

let lastChain = 0

/**
 * Opens a fresh chain that mines one block for each accepted transaction.
 *
 * It is deterministic: equal options, transactions and block timestamps give equal block hashes.
 *
 * @throws `evm/not-installed`, and `ledger/unavailable`, as every request does, when the worker of the
 * EVMs died: the chain is lost then
 */
export async function openEvm(options: openEvm.Options, worker = evmWorker): Promise<Evm> {
  const chain = ++lastChain
  let isOpen = true
  const run = (job: EvmJob): Promise<string> =>
    worker.ask(job).catch((cause: unknown) => {
      if (isFailure(cause, 'evm/not-installed')) throw cause
      throw new Failure('ledger/unavailable', { operation: `${job.kind} the EVM` }, { cause })
    })
  const send = async (body: unknown) => {
    if (!isOpen) throw new RpcError(rpcCode.refused, 'The chain is closed.')
    return resultOf(await run({ kind: 'ask', chain, text: JSON.stringify(body) }))
  }
  await run({ kind: 'open', chain, options })
  return {
    request: ({ method, params = [] }) => send({ method, params, ...envelope }),
    requestAll: (requests) => send(requests) as Promise<readonly unknown[]>,
    close: async () => {
      if (isOpen) await run({ kind: 'close', chain })
      isOpen = false
    },
  }
}

const envelope = { jsonrpc: '2.0', id: 1 }

function resultOf(text: string): unknown {
  const { error, result } = JSON.parse(text) as {
    readonly result?: unknown
    readonly error?: EdrError
  }
  if (error) throw rpcErrorOf(error)
  return result
}
