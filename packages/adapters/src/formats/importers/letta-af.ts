import type { Left, Taken } from '../import-report.ts'
import type { JsonFormat } from './json-importer.ts'
import { isMembers, listOf, memberOf, textOf } from './json-members.ts'

/**
 * An agent file of Letta: the agents and what belongs to them, or the one agent of the files
 * before 2025-07. Some were saved as a JSON string that holds the file; these are known too.
 */
export const lettaAf: JsonFormat = {
  noun: 'agent file of Letta',
  file: 'agent.af',
  category: 'agent',
  fits: (value) => {
    const file = fileOf(value)
    return isFile(file) || isOneAgent(file)
  },
  describe: (value) => {
    const file = fileOf(value)
    const agents = isOneAgent(file) ? [file] : listOf(file, 'agents')
    const name = agents.length === 1 ? textOf(agents[0], 'name') : undefined
    const version = textOf(file, 'created_at')
    return {
      metadata: {
        ...(name !== undefined && { agentId: name }),
        ...(version !== undefined && { version }),
      },
      taken: taken(file, agents),
      left: [...secretsLeft(agents), ...manyAgents(agents)],
    }
  },
}

/** The lists of an agent file, in its order. */
const lists = ['groups', 'blocks', 'files', 'sources', 'tools', 'mcp_servers', 'skills'] as const
const known = new Set<string>(['agents', 'metadata', 'created_at', ...lists])

function fileOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

function isFile(file: unknown): boolean {
  const agents = memberOf(file, 'agents')
  const present = lists.filter((name) => Array.isArray(memberOf(file, name)))
  return Array.isArray(agents) && agents.every(isMembers) && present.length >= 2
}

function isOneAgent(file: unknown): boolean {
  return (
    typeof memberOf(file, 'agent_type') === 'string' &&
    Array.isArray(memberOf(file, 'core_memory')) &&
    Array.isArray(memberOf(file, 'messages'))
  )
}

function taken(file: unknown, agents: readonly unknown[]): readonly Taken[] {
  const inAgents = (name: string) => agents.flatMap((agent) => listOf(agent, name)).length
  const configs = agents.filter((agent) => isMembers(memberOf(agent, 'llm_config')))
  const unknown = isMembers(file) && isFile(file) ? Object.keys(file) : []
  return [
    { what: 'agents', count: agents.length },
    { what: 'messages', count: inAgents('messages') },
    { what: 'LLM settings', count: configs.length },
    { what: 'blocks', count: inAgents('core_memory') + listOf(file, 'blocks').length },
    ...lists.filter((name) => name !== 'blocks').map((name) => counted(file, name)),
    { what: 'unknown members', count: unknown.filter((name) => !known.has(name)).length },
  ]
}

function counted(file: unknown, name: string): Taken {
  return { what: name.replace('mcp_', 'MCP '), count: listOf(file, name).length }
}

/** Letta empties what is secret when it writes a file; so a restored agent must be given it anew. */
function secretsLeft(agents: readonly unknown[]): readonly Left[] {
  return ['secrets', 'tool_exec_environment_variables'].flatMap((what) => {
    const withIt = agents.filter((agent) => memberOf(agent, what) !== undefined)
    const isEmpty = withIt.every((agent) => isNothing(memberOf(agent, what)))
    return withIt.length > 0 && isEmpty ? [{ what, why: 'empty in the file' }] : []
  })
}

function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isNothing)
  return value === null || value === '' || value === undefined
}

function manyAgents(agents: readonly unknown[]): readonly Left[] {
  if (agents.length < 2) return []
  return [{ what: 'metadata.agentId', why: `the file holds ${agents.length} agents` }]
}
