import {
  type Hex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem'
import { isRecord } from './json-rpc.ts'
import { RpcError, rpcCode } from './rpc-error.ts'

/** The code and input that a call or a transaction would execute. */
export type Execution = {
  /** Absent for a contract creation. */
  readonly to: string | undefined
  readonly data: string
  /** Whether it is executed on an older state than the newest one. */
  readonly isOld?: boolean
}

/** The code of strangers that an execution may run. */
export type ForeignCode = {
  /** The accounts whose code it may run; absent where it may run any. */
  readonly of?: readonly string[]
  /** The gas that such an execution may use; absent where that of any other is enough. */
  readonly gas?: bigint
  /** Present where it checks a signature, which has gas of its own beside that. */
  readonly isSigned?: true
  /** The most gas that it may use in any state; absent where it depends on none. */
  readonly mostGas?: bigint
  /** Reads both from the newest state; absent where they depend on none. */
  readonly read?: (chain: RequestChain) => Promise<Omit<ForeignCode, 'read'>>
}

/** A chain that answers JSON-RPC requests. */
type RequestChain = { request(call: { readonly method: string }): Promise<unknown> }

/**
 * Returns the code of strangers that an execution may run; `undefined` for one that runs only the code
 * of this project, which cannot loop for long.
 */
export type ForeignCodeOf = (execution: Execution) => ForeignCode | undefined

/** Returns the parameters of `eth_call` or `eth_estimateGas` with their gas capped at `cap`. */
export function withGasCap(params: readonly unknown[], cap: bigint): readonly unknown[] {
  const [call, ...rest] = params
  if (!isRecord(call)) return params
  const gas = gasOf(call.gas)
  const capped = gas === undefined || gas > cap ? cap : gas
  return [{ ...call, gas: `0x${capped.toString(16)}` }, ...rest]
}

function gasOf(gas: unknown): bigint | undefined {
  if (gas === undefined || gas === null) return undefined
  if (typeof gas === 'string' && /^0x[0-9a-f]{1,64}$/i.test(gas)) return BigInt(gas)
  throw new RpcError(rpcCode.invalidParams, 'The gas of a call must be a number in hex.')
}

/** Returns what a call would execute; `undefined` for a call that changes the state before it. */
export function executionOf(params: readonly unknown[]): Execution | undefined {
  const [call, block, overrides] = params
  if (!isRecord(call) || isSet(overrides) || isSet(call.authorizationList)) return undefined
  const { to, data, input } = call
  // When both are present, the EVM chooses which one counts.
  if (isSet(data) && isSet(input)) return undefined
  const bytes = data ?? input ?? '0x'
  const target = to ?? undefined
  if (typeof bytes !== 'string' || !isTarget(target)) return undefined
  return { to: target, data: bytes, isOld: !newestBlocks.includes(block) }
}

const newestBlocks: readonly unknown[] = [undefined, null, 'latest', 'pending']

const isSet = (value: unknown) => value !== undefined && value !== null

const isTarget = (to: unknown): to is string | undefined =>
  to === undefined || typeof to === 'string'

/** The fields of a transaction that are checked before it is written to the journal. */
export type PublicTransaction = Execution & {
  readonly gas: bigint
  readonly sender: Hex
  /** Whether it gives accounts code before it is executed (EIP-7702). */
  readonly delegates: boolean
}

/**
 * Decodes a signed transaction and recovers its sender.
 *
 * @throws `RpcError` when `raw` is no signed transaction
 */
export async function readTransaction(raw: Hex): Promise<PublicTransaction> {
  try {
    const { gas = 0n, to, data = '0x', type } = parseTransaction(raw)
    const serializedTransaction = raw as TransactionSerialized
    const sender = await recoverTransactionAddress({ serializedTransaction })
    return { gas, to: to ?? undefined, data, sender, delegates: type === 'eip7702' }
  } catch {
    throw new RpcError(rpcCode.invalidParams, 'Params hold no signed transaction of a known type.')
  }
}
