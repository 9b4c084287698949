import type { NodePool, NodeStatus } from '@heirloom/adapters/internal/nodes'
import { describeNode } from '../../observability/log-events.ts'
import { type Finding, ok, warn } from './finding.ts'

/** Checks each of several nodes; a node without a substitute is checked as the chain. */
export async function* checkNodes(nodes: NodePool): AsyncGenerator<Finding> {
  if (nodes.status().length === 1) return
  // The first check finds the chain, the second compares all nodes with it.
  await nodes.check()
  await nodes.check()
  const status = nodes.status()
  for (const node of status) yield findingOf(node, status.length)
}

function findingOf(node: NodeStatus, of: number): Finding {
  const sentence = `${describeNode({ ...node, of })}.`
  if (node.state === 'up') return ok(`node-${node.place}`, sentence)
  return warn(
    `node-${node.place}`,
    sentence,
    'Check that node, or remove its address from RPC_URL.',
  )
}
