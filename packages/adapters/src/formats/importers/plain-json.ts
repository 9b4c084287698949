import type { JsonImporter } from './importer.ts'
import { isJsonObject } from './json-file.ts'

/** Imports any JSON. */
export const plainJson: JsonImporter = {
  noun: 'JSON',
  file: 'memory.json',
  category: 'memory',
  matches: () => true,
  describe: (value) => ({ metadata: {}, taken: [countContents(value)], left: [] }),
}

function countContents(value: unknown) {
  if (Array.isArray(value)) return { what: 'items', count: value.length }
  if (isJsonObject(value)) return { what: 'members', count: Object.keys(value).length }
  return { what: 'values', count: 1 }
}
