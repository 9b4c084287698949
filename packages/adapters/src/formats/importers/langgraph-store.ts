import type { JsonImporter } from './importer.ts'
import { isJsonObject, listOf, memberOf } from './json-file.ts'

/**
 * Imports the items of a LangGraph store: a list, an object with the list as `items` (the response
 * of a search over HTTP), or one item per line.
 */
export const langgraphStore: JsonImporter = {
  noun: 'a list of items of a LangGraph store',
  file: 'store.json',
  category: 'memory',
  matches: (value) => {
    const items = itemsOf(value)
    return items.length > 0 && items.every(isItem)
  },
  describe: (value) => {
    const items = itemsOf(value)
    const namespaces = new Set(items.map((item) => JSON.stringify(memberOf(item, 'namespace'))))
    return {
      metadata: {},
      taken: [
        { what: 'items', count: items.length },
        { what: 'namespaces', count: namespaces.size },
      ],
      left: [],
    }
  },
}

function itemsOf(value: unknown): readonly unknown[] {
  // A JSON Lines file of one line is parsed as one object.
  if (isItem(value)) return [value]
  return Array.isArray(value) ? value : listOf(value, 'items')
}

function isItem(item: unknown): boolean {
  const namespace = memberOf(item, 'namespace')
  return (
    Array.isArray(namespace) &&
    namespace.every((part) => typeof part === 'string') &&
    typeof memberOf(item, 'key') === 'string' &&
    isJsonObject(memberOf(item, 'value'))
  )
}
