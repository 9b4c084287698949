import type { RpcRequest } from '../evm.ts'
import { isRecord } from './json-rpc.ts'
import { RpcError, rpcCode } from './rpc-error.ts'

type Request = (request: RpcRequest) => Promise<unknown>

/** The number of blocks that a query may span. */
export const longestRange = 10_000
/** The largest result, in characters of its JSON. */
export const largestAnswer = 2_000_000

/** The number of blocks per read: each may hold as many logs as its gas allows. */
const blocksPerRead = 5

/**
 * Handles `eth_getLogs` with a limit on the range of blocks and on the size of the result.
 *
 * @throws `RpcError`
 */
export async function boundedLogs(request: Request, params: readonly unknown[]): Promise<unknown> {
  const [filter] = params
  if (!isRecord(filter) || filter.blockHash !== undefined) return request({ method, params })
  const head = Number(await request({ method: 'eth_blockNumber' }))
  const result: unknown[] = []
  let left = largestAnswer
  for (const part of splitRange(rangeOf(filter, head))) {
    const logs = (await request({ method, params: [{ ...filter, ...part }] })) as unknown[]
    left -= JSON.stringify(logs).length
    if (left < 0) throw tooMuch(`query returned more than ${largestAnswer} characters`)
    for (const log of logs) result.push(log)
  }
  return result
}

const method = 'eth_getLogs'

function* splitRange({ from, to }: { readonly from: number; readonly to: number }) {
  for (let first = from; first <= to; first += blocksPerRead) {
    yield { fromBlock: hex(first), toBlock: hex(Math.min(to, first + blocksPerRead - 1)) }
  }
}

function rangeOf({ fromBlock, toBlock }: Readonly<Record<string, unknown>>, head: number) {
  const from = blockOf(fromBlock, head)
  const to = Math.min(head, blockOf(toBlock, head))
  if (to - from >= longestRange) throw tooMuch(`query exceeds max block range ${longestRange}`)
  return { from, to }
}

function blockOf(block: unknown, head: number): number {
  if (block === 'earliest') return 0
  if (typeof block !== 'string' || !/^0x[0-9a-f]{1,12}$/i.test(block))
    return blockOfTag(block, head)
  return Number(block)
}

const newestTags: readonly unknown[] = [undefined, null, 'latest', 'pending', 'safe', 'finalized']

function blockOfTag(tag: unknown, head: number): number {
  if (newestTags.includes(tag)) return head
  throw new RpcError(rpcCode.invalidParams, 'A block must be a number in hex or a tag.')
}

const hex = (number: number) => `0x${number.toString(16)}`

const tooMuch = (reason: string) =>
  new RpcError(rpcCode.limitExceeded, `${reason}; ask for fewer blocks.`)
