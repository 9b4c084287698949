import type { Omission } from '../import-report.ts'
import type { JsonImporter } from './importer.ts'
import { commonText, isJsonObject, listOf, memberOf, textOf } from './json-file.ts'

/**
 * Imports the response of mem0's `get_all`: a list of memories, or an object with it as `results`;
 * names as in Python (`agent_id`) or TypeScript (`agentId`). Or the `memories.json` of a backup of
 * OpenMemory, which has the memories of a user with their categories and apps.
 */
export const mem0: JsonImporter = {
  noun: 'an export of mem0',
  file: 'mem0.json',
  category: 'memory',
  matches: (value) => {
    const memories = memoriesOf(value)
    if (isOpenMemoryBackup(value)) return memories.every((it) => isMemory(it, 'content'))
    const isPage = memories.length === 0 && typeof memberOf(value, 'count') === 'number'
    return memories.every((it) => isMemory(it, 'memory')) && (memories.length > 0 || isPage)
  },
  describe: (value) => {
    const memories = memoriesOf(value)
    const agents = memories.map((memory) => textOf(memory, 'agent_id') ?? textOf(memory, 'agentId'))
    const agentId = commonText(agents)
    return {
      metadata: agentId === undefined ? {} : { agentId },
      taken: [
        { what: 'memories', count: memories.length },
        { what: 'relations', count: listOf(value, 'relations').length },
        { what: 'categories', count: listOf(value, 'categories').length },
        { what: 'apps', count: listOf(value, 'apps').length },
      ],
      left: [...severalAgents(agents), ...furtherPages(value)],
    }
  },
}

function memoriesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return listOf(value, isOpenMemoryBackup(value) ? 'memories' : 'results')
}

/** Returns whether a parsed value is the backup of a user of OpenMemory. */
export const isOpenMemoryBackup = (value: unknown): boolean =>
  isJsonObject(memberOf(value, 'export_meta')) && Array.isArray(memberOf(value, 'memories'))

const isMemory = (memory: unknown, text: 'memory' | 'content') =>
  isJsonObject(memory) &&
  typeof memberOf(memory, 'id') === 'string' &&
  typeof memberOf(memory, text) === 'string'

function severalAgents(agents: readonly (string | undefined)[]): readonly Omission[] {
  const { size } = new Set(agents.filter((it) => it !== undefined))
  return size > 1 ? [{ what: 'metadata.agentId', why: `the memories name ${size} agents` }] : []
}

function furtherPages(value: unknown): readonly Omission[] {
  const why = 'the file is one page, and names a next one'
  const further = { what: 'further memories', why, isLoss: true } as const
  return textOf(value, 'next') === undefined ? [] : [further]
}
