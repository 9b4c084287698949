import type { Secretbox } from '../secretbox.ts'
import { boxAt, openBox } from './boxes.ts'
import { type ChunkEntry, type ListNode, type NodeEntry, readNode } from './list-node.ts'
import type { ListRoot } from './list-root.ts'
import { malformedList } from './malformed-list.ts'

/** The whole list of one version. */
export type PartList = {
  /** In the order of the document. */
  readonly chunks: readonly ChunkEntry[]
  readonly nodes: readonly NodeEntry[]
}

export declare namespace readList {
  type Input = {
    readonly secretbox: Secretbox
    /** Returns the bytes of the pack with a tag; `undefined` where there is none. */
    readonly packOf: (tag: number) => Uint8Array | undefined
    /** The length of the document in bytes. */
    readonly length: number
  }
}

/**
 * Opens all nodes of a list.
 *
 * @throws `bundle/unreadable` when a node was altered, or the list does not cover the document
 */
export function readList({ top }: ListRoot, input: readList.Input): PartList {
  const nodes: NodeEntry[] = []
  let node = top
  while (node.level > 0) {
    nodes.push(...node.entries)
    const level = node.level - 1
    const below = node.entries.map((entry) => childOf(entry, level, input))
    node = { level, entries: below.flatMap(({ entries }) => entries) } as ListNode
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
