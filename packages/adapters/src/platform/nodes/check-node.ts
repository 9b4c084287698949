import { setTimeout as pause } from 'node:timers/promises'
import {
  judgeNode,
  type NodeAnswer,
  type NodeState,
  type NodeStatus,
  restAfter,
  smallStep,
} from './node-health.ts'
import { floorOf, type Pool } from './pool.ts'
import { hashAt, questionNode, type RpcNode } from './rpc-node.ts'

/** The distance of the anchor to the newest block: deeper than a chain reorganises. */
const anchorDepth = 64

/** Checks a node, and returns whether it is up. Checks at the same time are one. */
export function checkNode(pool: Pool, node: RpcNode): Promise<boolean> {
  const running = pool.checks.get(node) ?? judgeInTime(pool, node)
  pool.checks.set(node, running)
  return running.finally(() => pool.checks.delete(node))
}

/** The time between two checks of a node that gives no answer, however many callers wait for one. */
const checkPause = 100

async function judgeInTime(pool: Pool, node: RpcNode): Promise<boolean> {
  const left = node.state === 'silent' ? node.failedAt + checkPause - performance.now() : 0
  if (left > 0) await pause(left)
  return judge(pool, node)
}

async function judge(pool: Pool, node: RpcNode): Promise<boolean> {
  // Callers may see a newer block while this node answers.
  const floor = floorOf(pool) - smallStep
  const { anchor } = pool
  try {
    const answer = await questionNode(node, anchor)
    adopt(pool, node, answer)
    const demands = { ...demandsOn(pool, node), anchor: anchor ?? pool.genesis, floor }
    node.head = answer.head
    node.failures = 0
    node.restsUntil = 0
    setState(pool, node, believed(pool, node, judgeNode(answer, demands)))
  } catch (error) {
    takeOut(pool, node, error)
  }
  return node.state === 'up'
}

/**
 * Makes the chain of the first node that answers the measure of the others. That answer may be wrong:
 * until a second one shows the same chain, of this node or of another, the node can take it back.
 */
function adopt(pool: Pool, { place }: RpcNode, { chainId, anchorHash }: NodeAnswer): void {
  const { expected = chainId, genesis, shownBy = place } = pool
  if (pool.isCertain || chainId !== expected) return
  const isSame = chainId === pool.chainId && anchorHash === genesis?.hash
  pool.isCertain = isSame && pool.shownBy !== undefined
  if (shownBy !== place) return
  pool.shownBy = place
  pool.chainId = chainId
  pool.genesis = anchorHash === undefined ? undefined : { number: 0, hash: anchorHash }
  pool.anchor = pool.genesis && { ...pool.genesis, by: place }
}

function demandsOn(pool: Pool, node: RpcNode) {
  const { chainId, times } = pool
  const heights = pool.nodes
    .filter((other) => other !== node && other.state === 'up')
    .map(({ head }) => head?.number ?? 0)
  return {
    chainId,
    others: Math.max(0, ...heights),
    staleAfter: times.staleAfter,
    now: Date.now(),
  }
}

/**
 * Returns the state of a node, of which a lone one gets the benefit of the doubt: it showed the
 * anchor itself, no other node contradicts it, so the chain has reorganised that deeply.
 */
function believed(pool: Pool, node: RpcNode, state: NodeState): NodeState {
  const { anchor, genesis, nodes } = pool
  const isAlone = nodes.every((other) => other === node || other.state !== 'up')
  if (state !== 'other-fork' || anchor?.by !== node.place || !isAlone) return state
  pool.anchor = genesis && { ...genesis, by: node.place }
  return 'up'
}

/** Moves the anchor closer to the newest block, as the node in use has it. */
export async function moveAnchor(pool: Pool): Promise<void> {
  const node = pool.nodes.find(({ state }) => state === 'up')
  const number = (node?.head?.number ?? 0) - anchorDepth
  if (node === undefined || pool.nodes.length === 1 || !pool.isCertain) return
  if (number <= (pool.anchor?.number ?? 0)) return
  const hash = await hashAt(node, number).catch(() => undefined)
  if (hash !== undefined) pool.anchor = { number, hash, by: node.place }
}

/** Takes a node out that did not answer. */
export function takeOut(pool: Pool, node: RpcNode, error: unknown): void {
  node.failures += 1
  node.failedAt = performance.now()
  node.lastError = error
  node.restsUntil = node.failedAt + restAfter(node.failures)
  setState(pool, node, 'silent')
}

/** Sets the state of a node, and tells of a change. */
export function setState(pool: Pool, node: RpcNode, state: NodeState): void {
  const before = node.state
  node.state = state
  const isNews = before === 'unknown' ? state !== 'up' : before !== state
  if (isNews) pool.onChange?.({ place: node.place, of: pool.nodes.length, state })
}

/** Returns what is known of each node. */
export function statusOf({ nodes }: Pool): readonly NodeStatus[] {
  const heights = nodes.filter(({ state }) => state === 'up').map(({ head }) => head?.number ?? 0)
  const newest = Math.max(0, ...heights)
  return nodes.map(({ place, state, head }) => ({
    place,
    state,
    height: head?.number,
    lag: head && Math.max(0, newest - head.number),
  }))
}

/** Returns the time of the newest block that a node which is up showed, in milliseconds since 1970. */
export function newestBlockOf({ nodes }: Pool): number | undefined {
  const times = nodes.flatMap(({ state, head }) => (state === 'up' && head ? [head.minedAt] : []))
  return times.length === 0 ? undefined : Math.max(...times)
}
