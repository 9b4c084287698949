import type { NodeStatus } from '@heirloom/adapters/internal/nodes'
import { Gauge, type Registry } from 'prom-client'

/** Adds the meters of the nodes of a remote chain; returns the function that sets them. */
export function nodeMeters(registry: Registry): (nodes: readonly NodeStatus[]) => void {
  const registers = [registry]
  const labelNames = ['place']
  const up = new Gauge({
    registers,
    labelNames,
    name: 'heirloom_node_up',
    help: 'Whether a node of RPC_URL, by its place in the list from 1 on, is used or could be: 1, or 0 while it is silent, behind, or shows another chain; absent on the embedded chain',
  })
  const height = new Gauge({
    registers,
    labelNames,
    name: 'heirloom_node_height',
    help: 'The newest block that a node showed',
  })
  const lag = new Gauge({
    registers,
    labelNames,
    name: 'heirloom_node_lag_blocks',
    help: 'The blocks that a node lacks, compared with the one that is ahead',
  })
  const set = (node: NodeStatus) => {
    const place = String(node.place)
    up.set({ place }, node.state === 'up' ? 1 : 0)
    if (node.height !== undefined) height.set({ place }, node.height)
    if (node.lag !== undefined) lag.set({ place }, node.lag)
  }
  return (nodes) => {
    for (const node of nodes) set(node)
  }
}
