import type { RpcRequest } from '../evm.ts'
import { isRecord } from './json-rpc.ts'
import { RpcError, rpcCode } from './rpc-error.ts'

type Request = (request: RpcRequest) => Promise<unknown>

/** How many blocks a query may span. */
export const longestRange = 10_000
/** How large an answer may be, in characters of its JSON. */
export const largestAnswer = 2_000_000

/** How many blocks are read at once: their logs may be as large as a block allows. */
const atOnce = 5

/**
 * Answers `eth_getLogs` for a range and a result of bounded size.
 *
 * @throws `RpcError`
 */
export async function boundedLogs(request: Request, params: readonly unknown[]): Promise<unknown> {
  const [filter] = params
  if (!isRecord(filter) || filter.blockHash !== undefined) return request({ method, params })
  const head = Number(await request({ method: 'eth_blockNumber' }))
  const found: unknown[] = []
  let left = largestAnswer
  for (const part of partsOf(rangeOf(filter, head))) {
    const logs = (await request({ method, params: [{ ...filter, ...part }] })) as unknown[]
    left -= JSON.stringify(logs).length
    if (left < 0) throw tooMuch(`query returned more than ${largestAnswer} characters`)
    for (const log of logs) found.push(log)
  }
  return found
}

const method = 'eth_getLogs'

function* partsOf({ from, to }: { readonly from: number; readonly to: number }) {
  for (let first = from; first <= to; first += atOnce) {
    yield { fromBlock: hex(first), toBlock: hex(Math.min(to, first + atOnce - 1)) }
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
  if (typeof block !== 'string' || !/^0x[0-9a-f]{1,12}$/i.test(block)) return tagged(block, head)
  return Number(block)
}

const newest: readonly unknown[] = [undefined, null, 'latest', 'pending', 'safe', 'finalized']

function tagged(tag: unknown, head: number): number {
  if (newest.includes(tag)) return head
  throw new RpcError(rpcCode.invalidParams, 'A block must be a number in hex or a tag.')
}

const hex = (number: number) => `0x${number.toString(16)}`

const tooMuch = (reason: string) =>
  new RpcError(rpcCode.limitExceeded, `${reason}; ask for fewer blocks.`)
