import { Failure } from '@heirloom/core'
import { custom, type Hex, toFunctionSelector, toHex } from 'viem'
import { httpTransport, type NodeResponse } from '../../platform/http-transport.ts'
import type { Means } from '../../platform/means.ts'
import { decodeBloom, isEmpty, type LogBloom } from '../../platform/nodes/log-bloom.ts'
import { Contradiction, contradictionAt } from './contradiction.ts'
import { decodeLogs, isTime, type Log, type RpcLog } from './logs.ts'

/** A chain, in this process or remote, that answers JSON-RPC requests (EIP-1193). */
export type Chain = {
  request(request: RpcRequest): Promise<unknown>
  /** Asks another node than `request` does, where there is one. */
  readonly requestElsewhere?: (request: RpcRequest) => Promise<unknown>
  /** Returns the version of the newest state, on a chain that is never reorganised. */
  readonly stateVersion?: () => number | undefined
  /** Calls back after each change of the state; returns a function that unsubscribes. */
  readonly onState?: (call: () => void) => () => void
  /** The nodes as the means of indexing; absent for a chain in this process. */
  readonly means?: Means
}

type RpcRequest = { readonly method: string; readonly params?: unknown }

/** The header of a block, as far as the catalogue uses it. */
export type Block = {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  /** Its time, in seconds. */
  readonly at: number
  /** The filter of its events; absent where the node shows none, or the chain may have none. */
  readonly bloom: LogBloom | undefined
}

/** An event with the time of its block. */
export type TimedLog = Log & { readonly at: number }

/** The block, or the range of blocks, whose events are requested. */
export type LogRange =
  | Pick<Block, 'number' | 'hash'>
  | { readonly from: number; readonly to: number }

/** The requests of the catalogue to its chain. */
export type ChainReader = {
  readonly contracts: readonly Hex[]
  readonly chainId: () => Promise<number>
  /** Returns the number of the newest block. */
  readonly head: () => Promise<number>
  /** Returns a block; `undefined` when the chain has none of that number. @throws `Contradiction` */
  readonly block: (number: number) => Promise<Block | undefined>
  /** Returns whether an address has code at a block; rejects if the node does not keep its state. */
  readonly hasCode: (address: Hex, block: number) => Promise<boolean>
  /** Returns the number of tokens at a block; `undefined` if the node cannot tell. */
  readonly supply: (block: number) => Promise<number | undefined>
  /** Returns the events of the contracts. @throws `Contradiction` for those that were not requested */
  readonly logs: (range: LogRange) => Promise<readonly RpcLog[]>
  /** Returns all events of a block, also those of other contracts. */
  readonly allLogs: (blockHash: Hex) => Promise<readonly RpcLog[]>
  /** Asks another node, where there is one. */
  readonly elsewhere: ChainReader
}

/** The time limit for an answer of a node, in milliseconds. */
const answerTimeout = 10_000

export type Contracts = { readonly registry: Hex; readonly marketplace: Hex }

/** Returns a reader of the events that some contracts emit. */
export function chainReader(
  chain: Chain | URL,
  contracts: Contracts,
  observe?: (response: NodeResponse) => void,
): ChainReader {
  if (chain instanceof URL) {
    const options = { retryDelay: 20, timeout: answerTimeout, observe }
    return readerOf(httpTransport(chain, options)({ retryCount: 0 }).request, contracts)
  }
  const { requestElsewhere: request } = chain
  const elsewhere = request && readerOf(requestOf({ request }), contracts)
  return readerOf(requestOf(chain), contracts, elsewhere)
}

const requestOf = (chain: Pick<Chain, 'request'>) => custom(chain, { retryCount: 0 })({}).request

type Request = ReturnType<typeof requestOf>

const supplySelector = toFunctionSelector('function totalSupply()')

function readerOf(request: Request, contracts: Contracts, elsewhere?: ChainReader): ChainReader {
  const call = async (method: string, params: readonly unknown[]) =>
    (await request({ method, params })) as unknown
  const address = [contracts.registry, contracts.marketplace]
  const filterOf = filterReader()
  const logsOf = async (filter: object) =>
    (await call('eth_getLogs', [filter])) as readonly RpcLog[]
  const reader = {
    contracts: address,
    chainId: async () => Number(await call('eth_chainId', [])),
    head: async () => Number(await call('eth_blockNumber', [])),
    block: async (number: number) =>
      decodeBlock(number, await call('eth_getBlockByNumber', [toHex(number), false]), filterOf),
    hasCode: async (contract: Hex, block: number) =>
      (await call('eth_getCode', [contract, toHex(block)])) !== '0x',
    supply: async (block: number) => {
      const supplyCall = { to: contracts.registry, data: supplySelector }
      const answer = await call('eth_call', [supplyCall, toHex(block)]).catch(() => '0x')
      return typeof answer === 'string' && answer.length > 2 ? Number(answer) : undefined
    },
    logs: async (range: LogRange) => {
      const filter =
        'hash' in range
          ? { blockHash: range.hash }
          : { fromBlock: toHex(range.from), toBlock: toHex(range.to) }
      const logs = await logsOf({ address, ...filter })
      requireAnswer(logs, { range, contracts: address })
      return logs
    },
    allLogs: (blockHash: Hex) => logsOf({ blockHash }),
  }
  const whole: ChainReader = {
    ...reader,
    get elsewhere() {
      return elsewhere ?? whole
    },
  }
  return whole
}

/** Requires that events are of the contracts and of the requested range, each once. */
function requireAnswer(
  logs: readonly RpcLog[],
  { range, contracts }: { readonly range: LogRange; readonly contracts: readonly Hex[] },
): void {
  const isInRange = ({ blockHash, blockNumber }: RpcLog) =>
    'hash' in range
      ? blockHash === range.hash && Number(blockNumber) === range.number
      : Number(blockNumber) >= range.from && Number(blockNumber) <= range.to
  const emitters = new Set(contracts.map((contract) => contract.toLowerCase()))
  const wrong = logs.find((log) => !emitters.has(log.address.toLowerCase()) || !isInRange(log))
  if (wrong !== undefined) {
    const reason = `The node answered with an event of ${wrong.address} that was not requested.`
    throw contradictionAt(Number(wrong.blockNumber), reason)
  }
  const places = new Set(logs.map(({ blockNumber, logIndex }) => `${blockNumber} ${logIndex}`))
  if (places.size === logs.length) return
  const numbers = logs.map(({ blockNumber }) => Number(blockNumber))
  const reason = 'The node answered with two events of one place.'
  throw new Contradiction({ from: Math.min(...numbers), to: Math.max(...numbers), reason })
}

type RpcBlock = Readonly<Record<'number' | 'hash' | 'parentHash' | 'timestamp', Hex>> & {
  readonly logsBloom?: Hex
  readonly transactions?: readonly unknown[]
}

type FilterOf = (block: RpcBlock) => LogBloom | undefined

/**
 * Returns a function that returns the filter of a block. Some chains leave all filters empty: until
 * another one was seen, an empty filter of a block with transactions says nothing.
 */
function filterReader(): FilterOf {
  let isFilled = false
  return ({ logsBloom, transactions }) => {
    const bloom = decodeBloom(logsBloom)
    isFilled ||= bloom !== undefined && !isEmpty(bloom)
    return isFilled || transactions?.length === 0 ? bloom : undefined
  }
}

function decodeBlock(expected: number, answer: unknown, filterOf: FilterOf): Block | undefined {
  if (answer === null || answer === undefined) return undefined
  const { number, hash, parentHash, timestamp } = answer as RpcBlock
  const at = Number(timestamp)
  if (Number(number) !== expected) {
    throw contradictionAt(expected, `The node answered with block ${Number(number)}.`)
  }
  if (expected > 0 && !isTime(at)) {
    throw contradictionAt(expected, `The node shows no time of block ${expected}.`)
  }
  const bloom = filterOf(answer as RpcBlock)
  return { number: expected, hash, parentHash, at, bloom }
}

/** Returns a block; throws a contradiction when the chain has none of that number. */
export async function requireBlock({ block }: ChainReader, number: number): Promise<Block> {
  const found = await block(number)
  if (found === undefined) throw contradictionAt(number, `The node has no block ${number}.`)
  return found
}

/** The most requests that run at once. */
const concurrency = 16

/** Maps items with a request for each, a few at once, and returns the answers in their order. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  request: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const answers: R[] = []
  for (let begin = 0; begin < items.length; begin += concurrency) {
    answers.push(...(await Promise.all(items.slice(begin, begin + concurrency).map(request))))
  }
  return answers
}

/**
 * Returns the events of a block with its time.
 *
 * @throws `Contradiction` for events of another block, or of another time
 */
export function withTimeOf({ number, hash, at }: Block, logs: readonly RpcLog[]) {
  // Some nodes leave the time of an event out, or show 0.
  const hasOtherTime = ({ blockTimestamp = '0x0' }: RpcLog) =>
    Number(blockTimestamp) !== 0 && Number(blockTimestamp) !== at
  if (logs.some((log) => log.blockHash !== hash || hasOtherTime(log))) {
    throw contradictionAt(number, `The events of block ${number} are of another block.`)
  }
  return decodeLogs(logs).map((log): TimedLog => ({ ...log, at }))
}

/** Adds the times of their blocks to events; requests the blocks whose times the node left out. */
export async function withTimes(
  reader: ChainReader,
  logs: readonly Log[],
): Promise<readonly TimedLog[]> {
  const known = new Map<number, number>()
  for (const { block, at } of logs) if (at !== undefined) known.set(block, at)
  const untimed = [...new Set(logs.map(({ block }) => block))].filter((block) => !known.has(block))
  const hashes = new Map(logs.map(({ block, blockHash }) => [block, blockHash]))
  for (const { number, hash, at } of await mapConcurrently(untimed, (it) =>
    requireBlock(reader, it),
  )) {
    if (hash !== hashes.get(number)) throw contradictionAt(number, `Block ${number} was replaced.`)
    known.set(number, at)
  }
  return logs.map((log) => ({ ...log, at: known.get(log.block) ?? 0 }))
}

/** Returns the failure of a request that the chain did not answer. */
export function chainUnavailable(operation: string, cause: unknown): Failure {
  return new Failure('ledger/unavailable', { operation }, { cause })
}
