import type { Chain } from '../../../packages/adapters/src/ledger/connection.ts'
import { testClient } from './anvil.ts'

/** A node that can be paused, and that refuses long ranges of events. */
export type GatedChain = Chain & {
  /** Removes the last blocks while all requests are paused; their transactions are dropped. */
  reorganise(depth: number): Promise<void>
  /** Returns the number of refused ranges. */
  readonly refused: () => number
}

export declare namespace gatedChain {
  type Limits = { readonly blocks?: number; readonly logs?: number }
}

/** Returns the node at an address, behind a gate. */
export function gatedChain(url: URL, limits: gatedChain.Limits = {}): GatedChain {
  const node = testClient({ url })
  const { blocks = Number.POSITIVE_INFINITY, logs = Number.POSITIVE_INFINITY } = limits
  let opened = Promise.resolve()
  let refused = 0
  const pending = new Set<Promise<unknown>>()
  const refuse = (message: string) => {
    refused += 1
    return Object.assign(new Error(message), { code: -32005 })
  }
  const send = async ({ method, params }: Parameters<Chain['request']>[0]) => {
    if (method === 'eth_getLogs' && lengthOf(params) > blocks)
      throw refuse('The range is too long.')
    const result = await fetchResult(url, { method, params })
    const isLong = method === 'eth_getLogs' && (result as readonly unknown[]).length > logs
    if (isLong && lengthOf(params) > 1) throw refuse('There are too many events.')
    return result
  }
  return {
    refused: () => refused,
    request: async (call) => {
      await opened
      const result = send(call)
      pending.add(result)
      return result.finally(() => pending.delete(result))
    },
    reorganise: async (depth) => {
      const gate = Promise.withResolvers<void>()
      opened = gate.promise
      await Promise.allSettled(pending)
      await node.reorganise(depth).finally(gate.resolve)
      await fetchResult(url, { method: 'anvil_dropAllTransactions' })
    },
  }
}

function lengthOf(params: unknown): number {
  const [{ fromBlock, toBlock }] = params as [{ fromBlock?: string; toBlock?: string }]
  return fromBlock === undefined ? 1 : Number(toBlock) - Number(fromBlock) + 1
}

async function fetchResult(url: URL, call: object): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, params: [], ...call })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  const { result, error } = (await response.json()) as { result: unknown; error?: { code: number } }
  if (error) throw Object.assign(new Error(JSON.stringify(error)), { code: error.code })
  return result
}
