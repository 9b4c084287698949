import type { NodeChange, NodeStatus } from '@heirloom/adapters/internal/nodes'
import type { FastifyBaseLogger } from 'fastify'
import { describeNode } from './describe-node.ts'

type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>

/** Logs that a node went out, or came back. That a lone node is silent is logged with its error. */
export function logNodeChange(log: Log, { place, of, state }: NodeChange): void {
  if (of === 1 && state !== 'other-chain') return
  const message = describeNode({ place, of, state })
  if (state === 'up') log.info({ node: place }, `${message} again`)
  else log.warn({ node: place, state }, message)
}

/** Logs the nodes that are out when a server starts. */
export function logNodesOut(log: Log, nodes: readonly NodeStatus[]): void {
  for (const { place, state } of nodes) {
    if (state === 'up' || state === 'unknown') continue
    logNodeChange(log, { place, of: nodes.length, state })
  }
}
