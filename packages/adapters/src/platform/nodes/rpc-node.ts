import { HttpRequestError } from 'viem'
import type { RpcCall } from '../batcher.ts'
import { httpSender, isUnanswered } from '../http-transport.ts'
import type { Anchor, NodeAnswer, NodeHead, NodeState } from './node-health.ts'

/** A node of a pool, and what is known of it. */
export type RpcNode = {
  readonly place: number
  /** Sends a call; repeats it once over a new connection if the old one broke. */
  readonly ask: (call: RpcCall) => Promise<unknown>
  state: NodeState
  head: NodeHead | undefined
  /** The number of checks and calls in a row that it did not answer. */
  failures: number
  /** When it last gave no answer, in milliseconds of the pool's clock. */
  failedAt: number
  /** The time until which it is not checked again, in milliseconds of the pool's clock. */
  restsUntil: number
  /** Why it was last out. */
  lastError: unknown
}

/** The times that a node may take to answer, in milliseconds. */
export type NodeTimeouts = { readonly usual: number; readonly longest: number }

/** The delay before a call is repeated, in milliseconds. */
const retryDelay = 20

/** Returns a node of which nothing is known yet. */
export function rpcNode(url: URL, place: number, { usual, longest }: NodeTimeouts): RpcNode {
  const [soon, late] = [httpSender(url, usual), httpSender(url, longest)]
  // A search for events may take long; no other answer may.
  const send = async (call: RpcCall) =>
    requireForm(call, await (call.method === 'eth_getLogs' ? late(call) : soon(call)))
  const ask = async (call: RpcCall): Promise<unknown> => {
    try {
      return await send(call)
    } catch (error) {
      if (!isBroken(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, retryDelay))
      return send(call)
    }
  }
  const unknown = { state: 'unknown', head: undefined, lastError: undefined } as const
  return { place, ask, ...unknown, failures: 0, failedAt: 0, restsUntil: 0 }
}

/** The methods whose answers are numbers, and those whose answers are bytes. */
const [numbers, texts] = [
  new Set([
    'eth_blockNumber',
    'eth_chainId',
    'eth_estimateGas',
    'eth_gasPrice',
    'eth_getBalance',
    'eth_getTransactionCount',
    'eth_maxPriorityFeePerGas',
  ]),
  new Set(['eth_call', 'eth_getCode']),
]

/** Returns an answer of the form that its call has. One of another form, such as null, is none. */
function requireForm({ method, params }: RpcCall, answer: unknown): unknown {
  const isText = typeof answer === 'string'
  if (numbers.has(method) && !(isText && /^0x[\da-f]+$/i.test(answer))) throw noAnswer(method)
  if (texts.has(method) && !isText) throw noAnswer(method)
  const isNewest = method === 'eth_getBlockByNumber' && Array.isArray(params)
  if (isNewest && params[0] === 'latest' && readHead(answer) === undefined) throw noAnswer(method)
  return answer
}

const noAnswer = (method: string): Error =>
  new HttpRequestError({ url: '', details: `The node's answer to ${method} has another form.` })

/** Returns whether a connection broke: a node may close an idle one just as it is used. */
const isBroken = (error: unknown): boolean =>
  error instanceof HttpRequestError && error.status === undefined

/** The code of a node that was asked too often. */
const limitExceeded = -32_005

/** Returns whether another node may answer a call that failed. */
export function isNodeTrouble(error: unknown, { method }: RpcCall): boolean {
  if (isUnanswered(error)) return true
  // Here it usually means that the range is too long, for every node.
  if (method === 'eth_getLogs') return false
  return error instanceof Error && 'code' in error && error.code === limitExceeded
}

/**
 * Asks a node for its chain, its newest block and the block at the height of an anchor, in one
 * request.
 */
export async function questionNode({ ask }: RpcNode, anchor: Anchor | undefined) {
  const [id, newest, anchorHash] = await Promise.all([
    ask({ method: 'eth_chainId', params: [] }),
    ask({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
    hashAt({ ask }, anchor?.number ?? 0),
  ])
  const head = readHead(newest)
  if (head === undefined) throw noAnswer('eth_getBlockByNumber')
  return { chainId: Number(id), head, anchorHash } satisfies NodeAnswer
}

/** Returns the hash of a node's block at a height. A block of another height is no answer. */
export async function hashAt(
  { ask }: Pick<RpcNode, 'ask'>,
  number: number,
): Promise<string | undefined> {
  const params = [`0x${number.toString(16)}`, false]
  const block = Object(await ask({ method: 'eth_getBlockByNumber', params }))
  if (typeof block.hash !== 'string') return undefined
  if (Number(block.number) !== number) throw noAnswer('eth_getBlockByNumber')
  return block.hash
}

/** Returns the newest block in an answer; `undefined` if it holds none. */
export function readHead(block: unknown): NodeHead | undefined {
  const { number, timestamp } = Object(block)
  if (typeof number !== 'string' || typeof timestamp !== 'string') return undefined
  return { number: Number(number), minedAt: 1000 * Number(timestamp) }
}
