import type { NodeStatus } from '@heirloom/adapters/internal/nodes'

const states: Readonly<Record<NodeStatus['state'], string>> = {
  unknown: 'has not been asked yet',
  up: 'answers',
  silent: 'does not answer',
  behind: 'is behind the others',
  'other-chain': 'serves another chain',
  'other-fork': 'has other blocks than the others',
}

/** Says what a node is good for, by its place: its address may hold a key. */
export function describeNode({
  place,
  of,
  state,
}: Pick<NodeStatus, 'place' | 'state'> & { readonly of: number }): string {
  return `Node ${place} of ${of} in RPC_URL ${states[state]}`
}
