import { Failure } from '@heirloom/core'
import type { Hex } from 'viem'
import { type EvmJob, evms } from './evm-worker.ts'
import { type Refusal, RpcError, rpcCode, rpcErrorOf } from './public-rpc/rpc-error.ts'

/** One JSON-RPC call, as EIP-1193 spells it. */
export type RpcRequest = { readonly method: string; readonly params?: unknown }

/** A chain in this process, asked through JSON-RPC methods. */
export type Evm = {
  request(request: RpcRequest): Promise<unknown>
  /** Answers requests one after the other; the first that is refused ends the list, with its error. */
  requestAll(requests: readonly RpcRequest[]): Promise<readonly unknown[]>
  close(): Promise<void>
}

export declare namespace openEvm {
  type Options = {
    readonly chainId: number
    /** Seconds since 1970. */
    readonly genesisTime: number
    readonly accounts: readonly { readonly address: Hex; readonly balance: bigint }[]
    /** The private key of an account whose transactions it signs itself when told to. */
    readonly key?: Hex | undefined
  }
}

let last = 0

/**
 * Opens a fresh chain that mines one block for each accepted transaction.
 *
 * Equal options, followed by equal transactions at equal block timestamps, reach equal block hashes.
 *
 * @throws `ledger/unavailable`, as every request does, when the thread of the EVMs died: the chain is
 * lost then
 */
export async function openEvm(options: openEvm.Options, thread = evms): Promise<Evm> {
  const chain = ++last
  let isOpen = true
  const tell = (job: EvmJob): Promise<string> =>
    thread.ask(job).catch((cause: unknown) => {
      throw new Failure('ledger/unavailable', { operation: `${job.kind} the EVM` }, { cause })
    })
  const ask = async (body: unknown) => {
    if (!isOpen) throw new RpcError(rpcCode.refused, 'The chain is closed.')
    return resultOf(await tell({ kind: 'ask', chain, text: JSON.stringify(body) }))
  }
  await tell({ kind: 'open', chain, options })
  return {
    request: ({ method, params = [] }) => ask({ method, params, ...envelope }),
    requestAll: (requests) => ask(requests) as Promise<readonly unknown[]>,
    close: async () => {
      if (isOpen) await tell({ kind: 'close', chain })
      isOpen = false
    },
  }
}

const envelope = { jsonrpc: '2.0', id: 1 }

function resultOf(text: string): unknown {
  const { error, result } = JSON.parse(text) as {
    readonly result?: unknown
    readonly error?: Refusal
  }
  if (error) throw rpcErrorOf(error)
  return result
}
