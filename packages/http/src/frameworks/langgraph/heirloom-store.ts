import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint'
import { type FrameworkOptions, type NamedDocument, openNamedDocument } from '../named-document.ts'
import { type Data, listIn } from '../state.ts'
import type { ItemRecord } from './item-record.ts'
import { isBelow, isSameNamespace, listNamespaces } from './namespaces.ts'
import { matchesFilter, rankByWords } from './search-items.ts'

/**
 * A store of LangGraph in a named memory, in the member `items` of its data. `put` and `delete` resolve
 * once they are in a version; those of one moment share a version. A search with a query puts the items
 * first that have most of its words. Calls fail with a `HeirloomError`.
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
