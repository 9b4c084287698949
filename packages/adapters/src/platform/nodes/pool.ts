import type { RpcCall } from '../batcher.ts'
import { type Anchor, type NodeState, smallStep } from './node-health.ts'
import { type NodeTimeouts, type RpcNode, readHead } from './rpc-node.ts'

/** The times of a pool, in milliseconds. */
export type NodePoolTimes = NodeTimeouts & {
  /** The interval at which every node is checked. */
  readonly checkEvery: number
  /** The age from which the newest block of a node is old, if another node has newer ones. */
  readonly staleAfter: number
  /** The time without a soon answer of any node after which the pool is silent. */
  readonly silentAfter: number
  /** The time for which no node may show an older chain than callers have seen. */
  readonly floorFor: number
}

/** A change of what a node is good for. */
export type NodeChange = { readonly place: number; readonly of: number; readonly state: NodeState }

/** The state that the nodes of a pool share. */
export type Pool = {
  readonly nodes: readonly RpcNode[]
  readonly times: NodePoolTimes
  readonly onChange: ((change: NodeChange) => void) | undefined
  /** The chain of the settings, if they name one. */
  readonly expected: number | undefined
  /** The chain; that of the first node that answered, unless it was given. */
  chainId: number | undefined
  genesis: Anchor | undefined
  /** The place of the node that showed the chain, and whether a second answer showed the same. */
  shownBy: number | undefined
  isCertain: boolean
  /** A block that every node must have, and the place of the node that showed it. */
  anchor: (Anchor & { readonly by: number }) | undefined
  /** The newest block that callers have seen, and when it was last seen. */
  floor: { readonly number: number; readonly at: number }
  /** The node that answers calls. */
  current: RpcNode | undefined
  /** The checks under way. */
  readonly checks: Map<RpcNode, Promise<boolean>>
}

/** Returns the height that a node must have; a lone node may have any. */
export function floorOf({ nodes, floor, times }: Pool): number {
  if (nodes.length === 1 || performance.now() - floor.at > times.floorFor) return 0
  return floor.number
}

/** Records the height of a node that callers see. */
export function raiseFloor(pool: Pool, height: number): void {
  if (height >= floorOf(pool)) pool.floor = { number: height, at: performance.now() }
}

/** Returns whether an answer is at least as new as what callers saw before. */
export function isShownAgain(pool: Pool, node: RpcNode, call: RpcCall, answer: unknown): boolean {
  const height = heightIn(call, answer)
  if (height === undefined) return true
  if (height < floorOf(pool) - smallStep) return false
  raiseFloor(pool, height)
  if (node.head === undefined || height > node.head.number) {
    node.head = { number: height, minedAt: readHead(answer)?.minedAt ?? Date.now() }
  }
  return true
}

/** Returns the height of the newest block, if a call asks for it. */
function heightIn({ method, params }: RpcCall, answer: unknown): number | undefined {
  if (method === 'eth_blockNumber' && typeof answer === 'string') return Number(answer)
  const isNewest = method === 'eth_getBlockByNumber' && Array.isArray(params)
  return isNewest && params[0] === 'latest' ? readHead(answer)?.number : undefined
}
