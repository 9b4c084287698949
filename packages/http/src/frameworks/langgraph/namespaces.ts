import type { ListNamespacesOperation, MatchCondition } from '@langchain/langgraph-checkpoint'
import type { ItemRecord } from './item-record.ts'

type Namespace = readonly string[]

/** Returns whether two namespaces are the same. */
export const isSameNamespace = (one: Namespace, other: Namespace): boolean =>
  one.length === other.length && isBelow(one, other)

/** Returns whether a namespace is a prefix or below it. */
export const isBelow = (namespace: Namespace, prefix: Namespace): boolean =>
  prefix.length <= namespace.length && prefix.every((label, at) => label === namespace[at])

/** Returns the namespaces that have items, each once, in order. */
export function listNamespaces(
  items: readonly Pick<ItemRecord, 'namespace'>[],
  { matchConditions = [], maxDepth, offset = 0, limit }: ListNamespacesOperation,
): string[][] {
  const found = items
    .map(({ namespace }) => namespace)
    .filter((it) => matchConditions.every((condition) => matches(it, condition)))
    .map((it) => JSON.stringify(it.slice(0, maxDepth)))
  const all = [...new Set(found)].map((it) => JSON.parse(it) as string[])
  const inOrder = all.toSorted((one, other) => (one.join('\0') < other.join('\0') ? -1 : 1))
  return inOrder.slice(offset, limit === undefined ? undefined : offset + limit)
}

function matches(namespace: Namespace, { matchType, path }: MatchCondition): boolean {
  if (path.length > namespace.length) return false
  const from = matchType === 'suffix' ? namespace.length - path.length : 0
  return path.every((label, at) => label === '*' || label === namespace[from + at])
}
