import type { Chain } from '../../../packages/adapters/src/ledger/connection.ts'
import { testClient } from './anvil.ts'

/** A node that can be held still, and that refuses long ranges of events. */
export type GatedChain = Chain & {
  /** Takes the node's last blocks back while nobody asks it anything; what they held does not come again. */
  reorganise(depth: number): Promise<void>
  /** How many ranges were refused. */
  readonly refused: () => number
}

export declare namespace gatedChain {
  type Limits = { readonly blocks?: number; readonly logs?: number }
}

/** Returns the node at an address behind a gate. */
export function gatedChain(url: URL, limits: gatedChain.Limits = {}): GatedChain {
  const node = testClient({ url })
  const { blocks = Number.POSITIVE_INFINITY, logs = Number.POSITIVE_INFINITY } = limits
  let open = Promise.resolve()
  let refused = 0
  const asked = new Set<Promise<unknown>>()
  const refuse = (message: string) => {
    refused += 1
    return Object.assign(new Error(message), { code: -32005 })
  }
  const ask = async ({ method, params }: Parameters<Chain['request']>[0]) => {
    if (method === 'eth_getLogs' && lengthOf(params) > blocks)
      throw refuse('The range is too long.')
    const answer = await answerOf(url, { method, params })
    const isLong = method === 'eth_getLogs' && (answer as readonly unknown[]).length > logs
    if (isLong && lengthOf(params) > 1) throw refuse('There are too many events.')
    return answer
  }
  return {
    refused: () => refused,
    request: async (call) => {
      await open
      const answer = ask(call)
      asked.add(answer)
      return answer.finally(() => asked.delete(answer))
    },
    reorganise: async (depth) => {
      const gate = Promise.withResolvers<void>()
      open = gate.promise
      await Promise.allSettled(asked)
      await node.reorganise(depth).finally(gate.resolve)
      await answerOf(url, { method: 'anvil_dropAllTransactions' })
    },
  }
}

function lengthOf(params: unknown): number {
  const [{ fromBlock, toBlock }] = params as [{ fromBlock?: string; toBlock?: string }]
  return fromBlock === undefined ? 1 : Number(toBlock) - Number(fromBlock) + 1
}

async function answerOf(url: URL, call: object): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, params: [], ...call })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body })
  const { result, error } = (await answer.json()) as { result: unknown; error?: { code: number } }
  if (error) throw Object.assign(new Error(JSON.stringify(error)), { code: error.code })
  return result
}
