import { zeroAddress } from 'viem'
import type { Evm } from './evm.ts'
import { isRecord } from './public-rpc/json-rpc.ts'

const calls: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas'])

/** Returns how to ask an EVM that signs for somebody as if it signed for nobody. */
export const asNobody =
  (evm: Evm): Evm['request'] =>
  async ({ method, params }) => {
    if (method === 'eth_accounts') return []
    // A call that names no caller would be the first account's.
    return evm.request({ method, params: calls.has(method) ? withCaller(params) : params })
  }

function withCaller(params: unknown): unknown {
  if (!Array.isArray(params) || !isRecord(params[0])) return params
  const [call, ...rest] = params
  return [{ from: zeroAddress, ...call }, ...rest]
}
