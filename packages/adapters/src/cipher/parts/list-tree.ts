import type { Secretbox } from '../secretbox.ts'
import { boxAt, openBox } from './boxes.ts'
import { malformedList } from './list-bytes.ts'
import { type ChunkEntry, type ListNode, type NodeEntry, readNode } from './list-node.ts'
import type { ListRoot } from './list-root.ts'

/** A node that was opened, and what it lists. */
export type OpenedNode = {
  readonly entry: NodeEntry
  /** One at least. */
  readonly children: ListNode['entries']
}

/** The whole list of one version. */
export type PartList = {
  /** In the order of the document. */
  readonly chunks: readonly ChunkEntry[]
  readonly nodes: readonly OpenedNode[]
}

export declare namespace readList {
  type Input = {
    readonly secretbox: Secretbox
    /** Returns the bytes of the pack with a tag; `undefined` where there is none. */
    readonly packOf: (tag: number) => Uint8Array | undefined
    /** The length of the document in bytes. */
    readonly length: number
    /** Runs after some nodes, so that other work has its turn; absent in a worker. */
    readonly turn?: () => Promise<void>
  }
}

/** The number of nodes, of some 30 entries each, that are opened in one turn. */
const nodesInTurn = 64

/**
 * Opens all nodes of a list.
 *
 * @throws `bundle/unreadable` when a node was altered, or the list does not cover the document
 */
export async function readList({ top }: ListRoot, input: readList.Input): Promise<PartList> {
  const nodes: OpenedNode[] = []
  let node = top
  while (node.level > 0) {
    const level = node.level - 1
    const entries: (NodeEntry | ChunkEntry)[] = []
    for (const [at, entry] of node.entries.entries()) {
      if (at % nodesInTurn === nodesInTurn - 1) await input.turn?.()
      const { entries: children } = childOf(entry, level, input)
      nodes.push({ entry, children })
      entries.push(...children)
    }
    node = { level, entries } as ListNode
  }
  const chunks = node.entries as readonly ChunkEntry[]
  if (lengthOf(chunks) !== input.length) throw malformedList()
  return { chunks, nodes }
}

function childOf(entry: NodeEntry, level: number, { secretbox, packOf }: readList.Input): ListNode {
  const pack = packOf(entry.tag)
  if (pack === undefined) throw malformedList()
  const child = readNode(openBox(secretbox, entry, boxAt(entry, pack)))
  if (child.level !== level || lengthOf(child.entries) !== entry.length) throw malformedList()
  return child
}

const lengthOf = (entries: readonly { readonly length: number }[]) =>
  entries.reduce((sum, { length }) => sum + length, 0)
