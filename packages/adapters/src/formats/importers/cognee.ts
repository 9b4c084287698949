import type { JsonImporter } from './importer.ts'
import { isJsonObject, listOf, memberOf, textOf } from './json-file.ts'

/**
 * Imports the graph of a dataset of Cognee: the file of `cognee.export(format="json")`, or the
 * response of its HTTP interface. Its archives (COGX) are folders, and a format of their own.
 */
export const cognee: JsonImporter = {
  noun: 'a graph of Cognee',
  file: 'graph.json',
  category: 'knowledge-graph',
  matches: (value) => {
    const [nodes, edges] = [listOf(value, 'nodes'), listOf(value, 'edges')]
    if (nodes.length === 0 || !nodes.every(isNode)) return false
    return (edges.length > 0 && edges.every(isExportedEdge)) || isResponse(nodes, edges)
  },
  describe: (value) => {
    const [nodes, edges] = [listOf(value, 'nodes'), listOf(value, 'edges')]
    const types = new Set(nodes.map((node) => textOf(node, 'type')))
    return {
      metadata: {},
      taken: [
        { what: 'nodes', count: nodes.length },
        { what: 'types of nodes', count: types.size },
        { what: 'edges', count: edges.length },
      ],
      left: [],
    }
  },
}

const isNode = (node: unknown) =>
  textOf(node, 'id') !== undefined && typeof memberOf(node, 'type') === 'string'

const hasEnds = (edge: unknown) =>
  textOf(edge, 'source') !== undefined && textOf(edge, 'target') !== undefined

const isExportedEdge = (edge: unknown) =>
  hasEnds(edge) && typeof memberOf(edge, 'relationship_name') === 'string'

/** Returns whether nodes and edges are as the HTTP interface returns them. */
function isResponse(nodes: readonly unknown[], edges: readonly unknown[]): boolean {
  const isReturned = (node: unknown) =>
    typeof memberOf(node, 'label') === 'string' && isJsonObject(memberOf(node, 'properties'))
  return (
    nodes.every(isReturned) &&
    edges.every((edge) => hasEnds(edge) && typeof memberOf(edge, 'label') === 'string')
  )
}
