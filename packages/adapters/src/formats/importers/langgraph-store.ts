import type { JsonFormat } from './json-importer.ts'
import { isMembers, listOf, memberOf } from './json-members.ts'

/**
 * Items of a LangGraph store: a list of them, an object with the list as `items` (what a search
 * over HTTP answers), or one a line. Dates are spelled as Python or as JavaScript does.
 */
export const langgraphStore: JsonFormat = {
  noun: 'list of items of a LangGraph store',
  file: 'store.json',
  category: 'memory',
  fits: (value) => {
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
  // A file of one line is an object, as any other file of JSON.
  if (isItem(value)) return [value]
  return Array.isArray(value) ? value : listOf(value, 'items')
}

function isItem(item: unknown): boolean {
  const namespace = memberOf(item, 'namespace')
  return (
    Array.isArray(namespace) &&
    namespace.every((part) => typeof part === 'string') &&
    typeof memberOf(item, 'key') === 'string' &&
    isMembers(memberOf(item, 'value'))
  )
}
