import type { JsonImporter } from './importer.ts'
import { isJsonObject, listOf, memberOf, textOf } from './json-file.ts'

/**
 * Imports a temporal knowledge graph of Graphiti or Zep: episodes, entities, and facts with the time
 * when they were true. An object with lists of them, a list, or one in each line; names as in Python
 * (`source_node_uuid`) or TypeScript (`sourceNodeUuid`).
 */
export const graphiti: JsonImporter = {
  noun: 'a knowledge graph of Graphiti or Zep',
  file: 'graph.json',
  category: 'knowledge-graph',
  matches: (value) => {
    const { episodes, entities, facts, others } = graphOf(value)
    return episodes.length + entities.length + facts.length > 0 && others.length === 0
  },
  describe: (value) => {
    const { episodes, entities, facts } = graphOf(value)
    const ended = facts.filter((fact) => ends.some((name) => textOf(fact, name) !== undefined))
    return {
      metadata: {},
      taken: [
        { what: 'episodes', count: episodes.length },
        { what: 'entities', count: entities.length },
        { what: 'facts', count: facts.length },
        { what: 'facts that ended', count: ended.length },
        ...unknownLists(value),
      ],
      left: [],
    }
  },
}

const ends = ['invalid_at', 'invalidAt', 'expired_at', 'expiredAt']

/** The names of each list, in the order of preference. */
const names = {
  episodes: ['episodes', 'episodic_nodes', 'episodicNodes'],
  entities: ['entities', 'nodes', 'entity_nodes', 'entityNodes'],
  facts: ['facts', 'edges', 'entity_edges', 'entityEdges'],
}
const known = new Set(Object.values(names).flat())

type Graph = Readonly<Record<keyof typeof names | 'others', readonly unknown[]>>

function graphOf(value: unknown): Graph {
  if (Array.isArray(value)) return sortItems(value)
  // A file of one line is parsed as one object.
  if (textOf(value, 'uuid') !== undefined) return sortItems([value])
  const lists = (which: keyof typeof names) => names[which].flatMap((name) => listOf(value, name))
  const [episodes, entities, facts] = [lists('episodes'), lists('entities'), lists('facts')]
  const others = [
    ...episodes.filter((item) => !isEpisode(item)),
    ...entities.filter((item) => !isEntity(item)),
    ...facts.filter((item) => !isFact(item)),
  ]
  return { episodes, entities, facts, others }
}

function sortItems(items: readonly unknown[]): Graph {
  const facts = items.filter(isFact)
  const episodes = items.filter((item) => !isFact(item) && isEpisode(item))
  const rest = items.filter((item) => !isFact(item) && !isEpisode(item))
  const entities = rest.filter((item) => isEntity(item) && isLabelled(item))
  return { episodes, entities, facts, others: rest.filter((item) => !entities.includes(item)) }
}

const isEpisode = (item: unknown) =>
  textOf(item, 'uuid') !== undefined && typeof memberOf(item, 'content') === 'string'

const isEntity = (item: unknown) =>
  textOf(item, 'uuid') !== undefined && typeof memberOf(item, 'name') === 'string'

/** An entity in a list of its own kind has a summary or labels, as other programs' items have not. */
const isLabelled = (item: unknown) =>
  typeof memberOf(item, 'summary') === 'string' || Array.isArray(memberOf(item, 'labels'))

const isFact = (item: unknown) =>
  textOf(item, 'uuid') !== undefined &&
  typeof memberOf(item, 'fact') === 'string' &&
  (textOf(item, 'source_node_uuid') ?? textOf(item, 'sourceNodeUuid')) !== undefined

/** Counts lists that Graphiti has beside these, such as communities; they are imported as well. */
function unknownLists(value: unknown) {
  if (!isJsonObject(value)) return []
  const lists = Object.entries(value).filter(([name, it]) => !known.has(name) && Array.isArray(it))
  return lists.map(([name]) => ({ what: name.slice(0, 64), count: listOf(value, name).length }))
}
