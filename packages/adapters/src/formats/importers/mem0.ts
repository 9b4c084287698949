import type { Left } from '../import-report.ts'
import type { JsonFormat } from './json-importer.ts'
import { agreed, isMembers, listOf, memberOf, textOf } from './json-members.ts'

/** What mem0's `get_all` answers: a list of memories, or an object with the list as `results`. */
export const mem0: JsonFormat = {
  noun: 'export of mem0',
  file: 'mem0.json',
  category: 'memory',
  fits: (value) => {
    const memories = memoriesOf(value)
    const isPage = memories.length === 0 && typeof memberOf(value, 'count') === 'number'
    return memories.every(isMemory) && (memories.length > 0 || isPage)
  },
  describe: (value) => {
    const memories = memoriesOf(value)
    const agents = memories.map((memory) => textOf(memory, 'agent_id'))
    const agentId = agreed(agents)
    return {
      metadata: agentId === undefined ? {} : { agentId },
      taken: [
        { what: 'memories', count: memories.length },
        { what: 'relations', count: listOf(value, 'relations').length },
      ],
      left: [...manyAgents(agents), ...morePages(value)],
    }
  },
}

function memoriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : listOf(value, 'results')
}

const isMemory = (memory: unknown) =>
  isMembers(memory) &&
  typeof memberOf(memory, 'id') === 'string' &&
  typeof memberOf(memory, 'memory') === 'string'

function manyAgents(agents: readonly (string | undefined)[]): readonly Left[] {
  const { size } = new Set(agents.filter((it) => it !== undefined))
  return size > 1 ? [{ what: 'metadata.agentId', why: `the memories name ${size} agents` }] : []
}

function morePages(value: unknown): readonly Left[] {
  const why = 'the file is one page, and names another'
  return textOf(value, 'next') === undefined ? [] : [{ what: 'further memories', why }]
}
