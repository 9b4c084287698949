import type { Secretbox } from '../secretbox.ts'
import { sealBox } from './boxes.ts'
import type { LastVersion } from './last-version.ts'
import { type LineKeys, partCodecs } from './line-keys.ts'
import {
  type ChunkEntry,
  entrySizes,
  type ListNode,
  type NodeEntry,
  type Place,
  writeNode,
} from './list-node.ts'
import type { PackWriter } from './pack-writer.ts'

/** The numbers of entries in a node, and the most in the root. */
const counts = { least: 3, most: 32, root: 8 } as const

/** A node ends after an entry whose id has these bits all zero: one in 4. */
const endMask = 0x03

/** The sealing of the parts of a version. */
export type Sealing = {
  readonly keys: LineKeys
  readonly secretbox: Secretbox
  /** Says which nodes need not be sealed again; absent in the first version. */
  readonly last: Pick<LastVersion, 'nodeOver' | 'nodeWith'> | undefined
  readonly writer: PackWriter
}

/**
 * Seals the nodes over chunks that are not there yet, level by level, and returns the top one and all
 * nodes below it. Nodes end where the ids of their entries say so, so that a change touches few.
 */
export function sealList(
  sealing: Sealing,
  chunks: readonly ChunkEntry[],
): { readonly top: ListNode; readonly nodes: readonly NodeEntry[] } {
  const nodes: NodeEntry[] = []
  let top: ListNode = { level: 0, entries: chunks }
  while (top.entries.length > counts.root) {
    const { level } = top
    const entries = group(top.entries).map((some) =>
      sealNode(sealing, { level, entries: some } as ListNode),
    )
    nodes.push(...entries)
    top = { level: level + 1, entries }
  }
  return { top, nodes }
}

function group<entry extends Place>(entries: readonly entry[]): readonly (readonly entry[])[] {
  const groups: entry[][] = []
  let group: entry[] = []
  for (const entry of entries) {
    group.push(entry)
    const ends = ((entry.id[0] ?? 0) & endMask) === 0 && group.length >= counts.least
    if (!ends && group.length < counts.most) continue
    groups.push(group)
    group = []
  }
  return group.length === 0 ? groups : [...groups, group]
}

function sealNode({ keys, secretbox, last, writer }: Sealing, node: ListNode): NodeEntry {
  const same = last?.nodeOver(node.entries)
  if (same !== undefined) return same
  const message = writeNode(node)
  const id = keys.nodeId(message)
  const equal = last?.nodeWith(id)
  if (equal !== undefined) return equal
  const key = keys.keyOf(partCodecs.node, message)
  const stored = message.length + entrySizes.overhead
  const { box, tag, offset } = writer.place(stored)
  sealBox(secretbox, { key, message, box })
  const length = node.entries.reduce((sum, entry) => sum + entry.length, 0)
  return { id, key, tag, offset, stored, length }
}
