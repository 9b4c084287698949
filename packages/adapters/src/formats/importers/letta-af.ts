import type { ImportedCount, Omission } from '../import-report.ts'
import type { JsonImporter } from './importer.ts'
import { isJsonObject, listOf, memberOf, textOf } from './json-file.ts'

/**
 * Imports an agent file of Letta: agents with their blocks, tools and files, or the single agent
 * of a file from before 2025-07. Some files are a JSON string that holds the file.
 */
export const lettaAf: JsonImporter = {
  noun: 'an agent file of Letta',
  file: 'agent.af',
  category: 'agent',
  matches: (value) => {
    const file = unwrap(value)
    return isAgentFile(file) || isSingleAgent(file)
  },
  describe: (value) => {
    const file = unwrap(value)
    const agents = isSingleAgent(file) ? [file] : listOf(file, 'agents')
    const name = agents.length === 1 ? textOf(agents[0], 'name') : undefined
    const version = textOf(file, 'created_at')
    return {
      metadata: {
        ...(name !== undefined && { agentId: name }),
        ...(version !== undefined && { version }),
      },
      taken: countContents(file, agents),
      left: [...emptySecrets(agents), ...severalAgents(agents)],
    }
  },
}

/** The lists of an agent file, in the order of the file. */
const lists = ['groups', 'blocks', 'files', 'sources', 'tools', 'mcp_servers', 'skills'] as const
const known = new Set<string>(['agents', 'metadata', 'created_at', ...lists])

function unwrap(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

function isAgentFile(file: unknown): boolean {
  const agents = memberOf(file, 'agents')
  const present = lists.filter((name) => Array.isArray(memberOf(file, name)))
  return Array.isArray(agents) && agents.every(isJsonObject) && present.length >= 2
}

function isSingleAgent(file: unknown): boolean {
  return (
    typeof memberOf(file, 'agent_type') === 'string' &&
    Array.isArray(memberOf(file, 'core_memory')) &&
    Array.isArray(memberOf(file, 'messages'))
  )
}

function countContents(file: unknown, agents: readonly unknown[]): readonly ImportedCount[] {
  const inAgents = (name: string) => agents.flatMap((agent) => listOf(agent, name)).length
  const configs = agents.filter((agent) => isJsonObject(memberOf(agent, 'llm_config')))
  const unknown = isJsonObject(file) && isAgentFile(file) ? Object.keys(file) : []
  return [
    { what: 'agents', count: agents.length },
    { what: 'messages', count: inAgents('messages') },
    { what: 'LLM settings', count: configs.length },
    { what: 'blocks', count: inAgents('core_memory') + listOf(file, 'blocks').length },
    ...lists.filter((name) => name !== 'blocks').map((name) => countList(file, name)),
    { what: 'unknown members', count: unknown.filter((name) => !known.has(name)).length },
  ]
}

function countList(file: unknown, name: string): ImportedCount {
  return { what: name.replace('mcp_', 'MCP '), count: listOf(file, name).length }
}

/** Reports secrets that Letta emptied when it wrote the file; a restored agent needs them again. */
function emptySecrets(agents: readonly unknown[]): readonly Omission[] {
  return ['secrets', 'tool_exec_environment_variables'].flatMap((what) => {
    const holders = agents.filter((agent) => memberOf(agent, what) !== undefined)
    const areEmpty = holders.every((agent) => isEmptyValue(memberOf(agent, what)))
    return holders.length > 0 && areEmpty ? [{ what, why: 'empty in the file' }] : []
  })
}

function isEmptyValue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmptyValue)
  return value === null || value === '' || value === undefined
}

function severalAgents(agents: readonly unknown[]): readonly Omission[] {
  if (agents.length < 2) return []
  return [{ what: 'metadata.agentId', why: `the file holds ${agents.length} agents` }]
}
