import type { JsonImporter } from './importer.ts'
import { isJsonObject, listOf, memberOf } from './json-file.ts'

/**
 * Imports the knowledge graph of the MCP reference memory server: one entity or relation per line,
 * also without the member `type`, as older servers and other programs write them, a list of them, or
 * the result object of its `read_graph`.
 */
export const mcpMemory: JsonImporter = {
  noun: 'a knowledge graph of the MCP memory server',
  file: 'memory.jsonl',
  category: 'knowledge-graph',
  matches: (value) => {
    const { entities, relations, others } = graphOf(value)
    return entities.length + relations.length > 0 && others.every(isJsonObject)
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
  // A JSON Lines file of one line is parsed as one object.
  const isLine = memberOf(value, 'type') !== undefined || isEntity(value) || isRelation(value)
  const lines = isLine ? [value] : value
  if (!Array.isArray(lines)) return readGraphResult(value)
  const entities = lines.filter(isEntityLine)
  const relations = lines.filter((line) => !isEntityLine(line) && isRelationLine(line))
  const known = new Set([...entities, ...relations])
  return { entities, relations, others: lines.filter((line: unknown) => !known.has(line)) }
}

function readGraphResult(value: unknown): Graph {
  const [entities, relations] = [listOf(value, 'entities'), listOf(value, 'relations')]
  const isGraph = entities.every(isEntity) && relations.every(isRelation)
  return isGraph ? { entities, relations, others: [] } : { entities: [], relations: [], others: [] }
}

/** A line that names its type needs no more; of others their members say what they are. */
const isEntityLine = (line: unknown) =>
  hasType(line, 'entity') ? isText(line, 'name') : hasType(line, undefined) && isEntity(line)

const isRelationLine = (line: unknown) =>
  hasType(line, 'relation')
    ? isText(line, 'from') && isText(line, 'to')
    : hasType(line, undefined) && isRelation(line)

const hasType = (line: unknown, type: string | undefined) => memberOf(line, 'type') === type

const isText = (line: unknown, ...names: string[]) =>
  names.some((name) => typeof memberOf(line, name) === 'string')

const isEntity = (line: unknown) =>
  isText(line, 'name') &&
  isText(line, 'entityType', 'entity_type') &&
  Array.isArray(memberOf(line, 'observations'))

const isRelation = (line: unknown) =>
  isText(line, 'from') && isText(line, 'to') && isText(line, 'relationType', 'relation_type')
