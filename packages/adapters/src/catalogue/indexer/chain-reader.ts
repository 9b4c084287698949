import { Failure } from '@heirloom/core'
import { custom, type Hex, toHex } from 'viem'
import { httpTransport, type NodeResponse } from '../../platform/http-transport.ts'
import type { Means } from '../../platform/means.ts'
import { decodeLogs, type Log, type RpcLog } from './logs.ts'

/** A chain, in this process or remote, that answers JSON-RPC requests (EIP-1193). */
export type Chain = {
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  /** Returns the version of the newest state, on a chain that is never reorganised. */
  readonly stateVersion?: () => number | undefined
  /** Calls back after each change of the state; returns a function that unsubscribes. */
  readonly onState?: (call: () => void) => () => void
  /** The nodes as the means of indexing; absent for a chain in this process. */
  readonly means?: Means
}

/** The header of a block, as far as the catalogue uses it. */
export type Block = {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  /** Its time, in seconds. */
  readonly at: number
}

/** An event with the time of its block. */
export type TimedLog = Log & { readonly at: number }

/** The block, or the range of blocks, whose events are requested. */
export type LogRange = { readonly blockHash: Hex } | { readonly from: number; readonly to: number }

/** The requests of the catalogue to its chain. */
export type ChainReader = {
  readonly chainId: () => Promise<number>
  /** Returns the number of the newest block. */
  readonly head: () => Promise<number>
  /** Returns a block; `undefined` when the chain has none of that number. */
  readonly block: (number: number) => Promise<Block | undefined>
  /** Returns whether an address has code at a block; rejects if the node does not keep its state. */
  readonly hasCode: (address: Hex, block: number) => Promise<boolean>
  /** Returns the events of the contracts in their order. */
  readonly logs: (range: LogRange) => Promise<readonly Log[]>
}

/** The time limit for an answer of a node, in milliseconds. */
const answerTimeout = 10_000

/** Returns a reader of the events that some contracts emit. */
export function chainReader(
  chain: Chain | URL,
  contracts: { readonly registry: Hex; readonly marketplace: Hex },
  observe?: (response: NodeResponse) => void,
): ChainReader {
  const transport =
    chain instanceof URL
      ? httpTransport(chain, { retryDelay: 20, timeout: answerTimeout, observe })
      : custom(chain, { retryCount: 0 })
  const { request } = transport({ retryCount: 0 })
  const call = async (method: string, params: readonly unknown[]) =>
    (await request({ method, params })) as unknown
  const address = [contracts.registry, contracts.marketplace]
  return {
    chainId: async () => Number(await call('eth_chainId', [])),
    head: async () => Number(await call('eth_blockNumber', [])),
    block: async (number) =>
      decodeBlock(await call('eth_getBlockByNumber', [toHex(number), false])),
    hasCode: async (contract, block) =>
      (await call('eth_getCode', [contract, toHex(block)])) !== '0x',
    logs: async (range) => {
      const filter =
        'blockHash' in range ? range : { fromBlock: toHex(range.from), toBlock: toHex(range.to) }
      const logs = (await call('eth_getLogs', [{ address, ...filter }])) as readonly RpcLog[]
      requireAnswer(logs, { range, contracts: address })
      return decodeLogs(logs)
    },
  }
}

/** Requires that events are of the contracts and of the requested range. */
function requireAnswer(
  logs: readonly RpcLog[],
  { range, contracts }: { readonly range: LogRange; readonly contracts: readonly Hex[] },
): void {
  const isInRange = ({ blockHash, blockNumber }: RpcLog) =>
    'blockHash' in range
      ? blockHash === range.blockHash
      : Number(blockNumber) >= range.from && Number(blockNumber) <= range.to
  const emitters = new Set(contracts.map((contract) => contract.toLowerCase()))
  const wrong = logs.find((log) => !emitters.has(log.address.toLowerCase()) || !isInRange(log))
  if (wrong === undefined) return
  throw new Error(`The node answered with an event of ${wrong.address} that was not requested.`)
}

type RpcBlock = Readonly<Record<'number' | 'hash' | 'parentHash' | 'timestamp', Hex>>

function decodeBlock(answer: unknown): Block | undefined {
  if (answer === null || answer === undefined) return undefined
  const { number, hash, parentHash, timestamp } = answer as RpcBlock
  return { number: Number(number), hash, parentHash, at: Number(timestamp) }
}

/** Thrown when the chain was reorganised during a read, whose results are then useless. */
export class ChainReorganised extends Error {
  override readonly name = 'ChainReorganised'
}

/** Returns a block; throws `ChainReorganised` when the chain has none of that number. */
export async function requireBlock({ block }: ChainReader, number: number): Promise<Block> {
  const found = await block(number)
  if (found === undefined) throw new ChainReorganised(`The chain has no block ${number}.`)
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
    if (hash !== hashes.get(number)) throw new ChainReorganised(`Block ${number} was replaced.`)
    known.set(number, at)
  }
  return logs.map((log) => ({ ...log, at: known.get(log.block) ?? 0 }))
}

/** Returns the failure of a request that the chain did not answer. */
export function chainUnavailable(operation: string, cause: unknown): Failure {
  return new Failure('ledger/unavailable', { operation }, { cause })
}
