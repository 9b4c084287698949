/** Why a node gets no requests. */
export type NodeTrouble = 'silent' | 'behind' | 'other-chain' | 'other-fork'

/** The use of a node, which is unknown before its first check. */
export type NodeState = 'unknown' | 'up' | NodeTrouble

/** A node as others may see it: by its place, since its address may hold a key. */
export type NodeStatus = {
  /** Its place in the list of addresses, from 1 on. */
  readonly place: number
  readonly state: NodeState
  /** The newest block that it showed. */
  readonly height: number | undefined
  /** The number of blocks that it lacks, compared with the others. */
  readonly lag: number | undefined
}

/** The newest block of a node. */
export type NodeHead = {
  readonly number: number
  /** The time of the block, in milliseconds since 1970. */
  readonly minedAt: number
}

/** A block that every node must have: they are then nodes of one chain, and of one fork. */
export type Anchor = { readonly number: number; readonly hash: string }

/** The answers of a node to a check. */
export type NodeAnswer = {
  readonly chainId: number
  readonly head: NodeHead
  /** The hash of its block at the height of the anchor, if it has one. */
  readonly anchorHash: string | undefined
}

/** The conditions that a node must meet. */
export type NodeDemands = {
  readonly chainId: number | undefined
  readonly anchor: Anchor | undefined
  /** The newest block that was shown to callers: none of them may see an older chain later. */
  readonly floor: number
  /** The greatest height that another node had a while ago. */
  readonly others: number
  /** The age from which the newest block of a node is old, in milliseconds. */
  readonly staleAfter: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The blocks by which nodes that are well may differ, and by which the newest block may go back. */
export const smallStep = 2

/** Returns the state of a node that has answered. */
export function judgeNode(answer: NodeAnswer, demands: NodeDemands): Exclude<NodeState, 'unknown'> {
  const { chainId = answer.chainId, anchor, floor } = demands
  if (answer.chainId !== chainId) return 'other-chain'
  if (isOther(answer.anchorHash, anchor)) return anchor?.number === 0 ? 'other-chain' : 'other-fork'
  const least = Math.max(floor, anchor?.number ?? 0)
  return answer.head.number < least || isStale(answer.head, demands) ? 'behind' : 'up'
}

const isOther = (hash: string | undefined, anchor: Anchor | undefined): boolean =>
  hash !== undefined && anchor !== undefined && hash !== anchor.hash

/**
 * Returns whether a node has stopped: another one is ahead of it, and its own newest block is old. The
 * claim of the other is not enough, or one lying node could draw all requests to itself.
 */
function isStale(head: NodeHead, { others, staleAfter, now }: NodeDemands): boolean {
  return head.number < others - smallStep && now - head.minedAt > staleAfter
}

/** Returns how long a node rests after so many failures in a row, in milliseconds. */
export function restAfter(failures: number): number {
  return Math.min(1000 * 2 ** Math.max(0, failures - 1), 60_000)
}
