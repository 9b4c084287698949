import { languages } from '@heirloom/adapters/internal/languages'
import { answerQuestion, instant, wordIndex } from '@heirloom/core'
import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint'
import { type FrameworkOptions, type NamedDocument, openNamedDocument } from '../named-document.ts'
import { type Data, listIn } from '../state.ts'

/** An item as it is saved; other programs may add and change items of this form. */
export type ItemRecord = {
  readonly namespace: readonly string[]
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
  /** The times in ISO 8601. */
  readonly createdAt?: string | undefined
  readonly updatedAt?: string | undefined
}

/**
 * A store of LangGraph in a named memory, in the member `items` of its data. `put` and `delete` resolve
 * once they are in a version; those of one moment share a version. A search with a query puts the items
 * first that answer it, as a question to a memory does. Calls fail with a `HeirloomError`.
 */
export class HeirloomStore extends BaseStore {
  readonly #document: NamedDocument

  constructor(options: FrameworkOptions) {
    super()
    this.#document = openNamedDocument({ category: 'langgraph', ...options })
  }

  /** Saves what is held when `durability` is `held`; otherwise waits for saves in progress. */
  async flush(): Promise<void> {
    await this.#document.flush()
  }

  override async stop(): Promise<void> {
    await this.flush()
  }

  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const puts = operations.filter(isPut).map(copyOf)
    const answer = (data: Data) => operations.map((it) => resultOf(listIn(data, 'items'), it))
    if (puts.length === 0) {
      return answer(await this.#document.read()) as OperationResults<Op>
    }
    // Reads of a batch see what was there before its writes.
    const results = await this.#document.change((data) => {
      const items = puts.reduce(applyPut, listIn<ItemRecord>(data, 'items'))
      return [{ ...data, items }, answer(data)]
    })
    return results as OperationResults<Op>
  }
}

const isPut = (operation: Operation): operation is PutOperation => 'value' in operation

/** Copies a value as JSON has it, so that later changes of the caller do not reach what is saved. */
const copyOf = (put: PutOperation): PutOperation => JSON.parse(JSON.stringify(put))

function applyPut(items: readonly ItemRecord[], { namespace, key, value }: PutOperation) {
  const isIt = (it: ItemRecord) => it.key === key && isSameNamespace(it.namespace, namespace)
  const before = items.find(isIt)
  if (value === null) return items.filter((it) => !isIt(it))
  const updatedAt = new Date().toISOString()
  const item = { namespace, key, value, createdAt: before?.createdAt ?? updatedAt, updatedAt }
  return before === undefined ? [...items, item] : items.map((it) => (isIt(it) ? item : it))
}

type Result = Item | null | undefined | SearchItem[] | string[][]

function resultOf(items: readonly ItemRecord[], operation: Operation): Result {
  if (isPut(operation)) return undefined
  if ('namespacePrefix' in operation) return search(items, operation)
  if ('key' in operation) return get(items, operation)
  return listNamespaces(items, operation as ListNamespacesOperation)
}

function get(items: readonly ItemRecord[], { namespace, key }: GetOperation): Item | null {
  const found = items.find((it) => it.key === key && isSameNamespace(it.namespace, namespace))
  return found === undefined ? null : itemOf(found)
}

function search(items: readonly ItemRecord[], operation: SearchOperation): SearchItem[] {
  const { namespacePrefix, filter, query, offset = 0, limit = 10 } = operation
  const found = items.filter(
    (it) => isBelow(it.namespace, namespacePrefix) && matchesFilter(it.value, filter),
  )
  const ranked = query ? rankByWords(found, query) : found.map((item) => ({ item }))
  return ranked
    .slice(offset, offset + limit)
    .map(({ item, ...score }) => ({ ...itemOf(item), ...score }))
}

/** Copies an item, because its reader may change it. */
const itemOf = ({ namespace, key, value, createdAt, updatedAt }: ItemRecord): Item => ({
  ...structuredClone({ namespace: [...namespace], key, value }),
  createdAt: new Date(createdAt ?? 0),
  updatedAt: new Date(updatedAt ?? createdAt ?? 0),
})

type Namespace = readonly string[]

/** Returns whether two namespaces are the same. */
const isSameNamespace = (one: Namespace, other: Namespace): boolean =>
  one.length === other.length && isBelow(one, other)

/** Returns whether a namespace is a prefix or below it. */
const isBelow = (namespace: Namespace, prefix: Namespace): boolean =>
  prefix.length <= namespace.length && prefix.every((label, at) => label === namespace[at])

/** Returns the namespaces that have items, each once, in order. */
function listNamespaces(
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

/** The comparisons of a filter, as in the stores of LangGraph. */
const comparisons: Readonly<Record<string, (value: unknown, given: unknown) => boolean>> = {
  $eq: (value, given) => value === given,
  $ne: (value, given) => value !== given,
  $gt: (value, given) => Number(value) > Number(given),
  $gte: (value, given) => Number(value) >= Number(given),
  $lt: (value, given) => Number(value) < Number(given),
  $lte: (value, given) => Number(value) <= Number(given),
  $in: (value, given) => Array.isArray(given) && given.includes(value),
  $nin: (value, given) => !Array.isArray(given) || !given.includes(value),
}

/** Returns whether a value has all members of a filter: a plain value, or comparisons such as `$gt`. */
function matchesFilter(
  value: ItemRecord['value'],
  filter: Readonly<Record<string, unknown>> = {},
): boolean {
  return Object.entries(filter).every(([name, needed]) => {
    const has = Object.hasOwn(value, name) ? value[name] : undefined
    const given = Object.entries(isObject(needed) ? needed : { $eq: needed })
    const isComparison = given.every(([operator]) => Object.hasOwn(comparisons, operator))
    if (!isComparison) return JSON.stringify(has) === JSON.stringify(needed)
    return given.every(([operator, operand]) => comparisons[operator]?.(has, operand))
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Orders items by how well they answer a query; the score is that of the best one's, 0 to 1. */
function rankByWords(items: readonly ItemRecord[], query: string) {
  // Each in a list of its own: another item of a store says nothing about it.
  const index = wordIndex({ items: items.map(({ value }) => [value]) }, languages)
  const now = instant(Date.now())
  const { answers } = answerQuestion(index, { question: query, most: items.length, now })
  const best = answers[0]?.score ?? 1
  const scores = new Map<number, number>()
  for (const { pointer = '', score } of answers) {
    const at = Number(pointer.split('/')[2])
    scores.set(at, Math.max(scores.get(at) ?? 0, score / best))
  }
  const scored = items.map((item, at) => ({ item, score: scores.get(at) ?? 0 }))
  return scored.toSorted((one, other) => other.score - one.score)
}
