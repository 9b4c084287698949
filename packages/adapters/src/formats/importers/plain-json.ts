import type { JsonFormat } from './json-importer.ts'
import { isMembers } from './json-members.ts'

/** Any JSON at all. */
export const plainJson: JsonFormat = {
  noun: 'JSON',
  file: 'memory.json',
  category: 'memory',
  fits: () => true,
  describe: (value) => ({ metadata: {}, taken: [counted(value)], left: [] }),
}

function counted(value: unknown) {
  if (Array.isArray(value)) return { what: 'items', count: value.length }
  if (isMembers(value)) return { what: 'members', count: Object.keys(value).length }
  return { what: 'values', count: 1 }
}
