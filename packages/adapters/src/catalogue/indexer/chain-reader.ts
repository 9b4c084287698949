import { Failure } from '@heirloom/core'
import { custom, type Hex, toHex } from 'viem'
import { httpTransport } from '../../platform/http-transport.ts'
import { type Log, type RpcLog, readLogs } from './logs.ts'

/** A chain in this process or elsewhere that answers JSON-RPC calls, as EIP-1193 spells them. */
export type Chain = {
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  /** Names the newest state of a chain that never takes back a block. */
  readonly stateVersion?: () => number | undefined
  /** Calls whenever the state has become another; returns what ends that. */
  readonly onState?: (call: () => void) => () => void
}

/** What is known of a block beside its events. */
export type Block = {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  /** Its time, in seconds. */
  readonly at: number
}

/** An event with the time of its block. */
export type TimedLog = Log & { readonly at: number }

/** Which events are wanted: those of a block, or of a range of them. */
export type Stretch = { readonly blockHash: Hex } | { readonly from: number; readonly to: number }

/** Asks a chain what the catalogue wants to know. */
export type ChainReader = {
  readonly chainId: () => Promise<number>
  /** Returns the number of the newest block. */
  readonly head: () => Promise<number>
  /** Returns a block; `undefined` when the chain has none of that number. */
  readonly block: (number: number) => Promise<Block | undefined>
  /** Returns the contracts' events in their order. */
  readonly logs: (stretch: Stretch) => Promise<readonly Log[]>
}

/** How long a node may take to answer, in milliseconds, before it counts as gone. */
const answerWithin = 10_000

/** Returns what asks a chain for the events of some contracts. */
export function chainReader(
  chain: Chain | URL,
  contracts: { readonly registry: Hex; readonly marketplace: Hex },
): ChainReader {
  const transport =
    chain instanceof URL
      ? httpTransport(chain, { retryDelay: 20, timeout: answerWithin })
      : custom(chain, { retryCount: 0 })
  const { request } = transport({ retryCount: 0 })
  const ask = async (method: string, params: readonly unknown[]) =>
    (await request({ method, params })) as unknown
  const address = [contracts.registry, contracts.marketplace]
  return {
    chainId: async () => Number(await ask('eth_chainId', [])),
    head: async () => Number(await ask('eth_blockNumber', [])),
    block: async (number) => blockIn(await ask('eth_getBlockByNumber', [toHex(number), false])),
    logs: async (stretch) => {
      const range =
        'blockHash' in stretch
          ? stretch
          : { fromBlock: toHex(stretch.from), toBlock: toHex(stretch.to) }
      return readLogs((await ask('eth_getLogs', [{ address, ...range }])) as readonly RpcLog[])
    },
  }
}

type RpcBlock = Readonly<Record<'number' | 'hash' | 'parentHash' | 'timestamp', Hex>>

function blockIn(answer: unknown): Block | undefined {
  if (answer === null || answer === undefined) return undefined
  const { number, hash, parentHash, timestamp } = answer as RpcBlock
  return { number: Number(number), hash, parentHash, at: Number(timestamp) }
}

/** Thrown when the chain changed while it was read; what was read is of no use. */
export class Moved extends Error {
  override readonly name = 'Moved'
}

/** Returns a block that is there. */
export async function blockAt({ block }: ChainReader, number: number): Promise<Block> {
  const found = await block(number)
  if (found === undefined) throw new Moved(`The chain has no block ${number}.`)
  return found
}

/** How many questions are asked at once. */
const atOnce = 16

/** Asks the same of many, a few at once, and returns the answers in their order. */
export async function askAll<T, R>(
  items: readonly T[],
  question: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const answers: R[] = []
  for (let begin = 0; begin < items.length; begin += atOnce) {
    answers.push(...(await Promise.all(items.slice(begin, begin + atOnce).map(question))))
  }
  return answers
}

/** Gives events the time of their blocks, which is asked for where the node did not tell it. */
export async function timed(
  reader: ChainReader,
  logs: readonly Log[],
): Promise<readonly TimedLog[]> {
  const known = new Map<number, number>()
  for (const { block, at } of logs) if (at !== undefined) known.set(block, at)
  const untimed = [...new Set(logs.map(({ block }) => block))].filter((block) => !known.has(block))
  const hashes = new Map(logs.map(({ block, blockHash }) => [block, blockHash]))
  for (const { number, hash, at } of await askAll(untimed, (it) => blockAt(reader, it))) {
    if (hash !== hashes.get(number)) throw new Moved(`Block ${number} is another one now.`)
    known.set(number, at)
  }
  return logs.map((log) => ({ ...log, at: known.get(log.block) ?? 0 }))
}

/** Returns the failure of a question that the chain did not answer. */
export function unanswered(operation: string, cause: unknown): Failure {
  return new Failure('ledger/unavailable', { operation }, { cause })
}
