import { zeroAddress } from 'viem'
import type { Evm } from './evm.ts'
import { isRecord } from './public-rpc/json-rpc.ts'

const calls: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas'])

/** Returns the requests of an EVM that has an account, as if it had none. */
export const withoutDefaultAccount =
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
