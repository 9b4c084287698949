import { RpcError, rpcCode } from './rpc-error.ts'

const standardMethods: ReadonlySet<string> = new Set([
  'eth_accounts',
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_coinbase',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'eth_syncing',
  'net_version',
  'web3_clientVersion',
  'web3_sha3',
])

/**
 * Requires a method that every Ethereum node offers: none that moves time, edits state or signs.
 * Filters are refused, too: each stores every log that it matches, and clients can poll
 * `eth_getLogs` instead.
 */
export function requireStandard(method: string): void {
  if (standardMethods.has(method)) return
  throw new RpcError(rpcCode.unknownMethod, `The method ${method} does not exist here.`)
}

/** The answers that never change, to methods that the EVM does not have. */
export const fixedAnswers: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['net_listening', true],
  ['net_peerCount', '0x0'],
])

/** Returns whether a method executes code without mining a block. */
export const executes = (method: string): boolean =>
  method === 'eth_call' || method === 'eth_estimateGas'

const timeDependent: ReadonlySet<string> = new Set([
  'eth_call',
  'eth_estimateGas',
  'eth_getBlockByNumber',
])

/** Reports whether the result depends on the timestamp that a block mined now would have. */
export function readsNextBlock(method: string, params: readonly unknown[]): boolean {
  if (!timeDependent.has(method)) return false
  return params.includes('pending') || (method === 'eth_estimateGas' && params[1] === undefined)
}
