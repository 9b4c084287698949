import type { JsonFormat } from './json-importer.ts'
import { isMembers, listOf, memberOf } from './json-members.ts'

/**
 * The knowledge graph of the MCP reference memory server: a line for each entity and relation, or
 * the object that its `read_graph` answers.
 */
export const mcpMemory: JsonFormat = {
  noun: 'knowledge graph of the MCP memory server',
  file: 'memory.jsonl',
  category: 'knowledge-graph',
  fits: (value) => {
    const { entities, relations, others } = graphOf(value)
    return entities.length + relations.length > 0 && others.every(isMembers)
  },
  describe: (value) => {
    const { entities, relations, others } = graphOf(value)
    const observations = entities.flatMap((entity) => listOf(entity, 'observations'))
    return {
      metadata: {},
      taken: [
        { what: 'entities', count: entities.length },
        { what: 'observations', count: observations.length },
        { what: 'relations', count: relations.length },
        { what: 'lines of other types', count: others.length },
      ],
      left: [],
    }
  },
}

type Graph = {
  readonly entities: readonly unknown[]
  readonly relations: readonly unknown[]
  readonly others: readonly unknown[]
}

function graphOf(value: unknown): Graph {
  // A file of one line is an object, as any other file of JSON.
  const lines = memberOf(value, 'type') === undefined ? value : [value]
  if (!Array.isArray(lines)) return answered(value)
  const entities = lines.filter((line: unknown) => hasType(line, 'entity') && isEntity(line))
  const relations = lines.filter((line: unknown) => hasType(line, 'relation') && isRelation(line))
  const known = new Set([...entities, ...relations])
  return { entities, relations, others: lines.filter((line: unknown) => !known.has(line)) }
}

function answered(value: unknown): Graph {
  const [entities, relations] = [listOf(value, 'entities'), listOf(value, 'relations')]
  const isGraph = entities.every(isEntity) && relations.every(isRelation)
  return isGraph ? { entities, relations, others: [] } : { entities: [], relations: [], others: [] }
}

const hasType = (line: unknown, type: string) => memberOf(line, 'type') === type

const isEntity = (line: unknown) =>
  typeof memberOf(line, 'name') === 'string' &&
  typeof memberOf(line, 'entityType') === 'string' &&
  Array.isArray(memberOf(line, 'observations'))

const isRelation = (line: unknown) =>
  ['from', 'to', 'relationType'].every((name) => typeof memberOf(line, name) === 'string')
