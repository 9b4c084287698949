import { isFailure } from '@heirloom/core'
import type { Secretbox } from '../secretbox.ts'
import type { ChunkEntry, ListNode, NodeEntry, Place } from './list-node.ts'
import { type PackFacts, readRoot } from './list-root.ts'
import { type OpenedNode, readList } from './list-tree.ts'
import { retainedPacks } from './pack-plan.ts'

/** Describes what a worker needs of the last version of a line, besides its packs with nodes. */
export type LastTerms = {
  readonly lineKey: Uint8Array
  /** The root of its list. */
  readonly root: Uint8Array
  /** The length of its document in bytes. */
  readonly length: number
  /** Whether its document has items, as its header says. */
  readonly hasItems: boolean
}

/** The last version of a line, opened. */
export type LastVersion = Pick<LastTerms, 'lineKey' | 'hasItems'> & {
  readonly packs: readonly PackFacts[]
  /** The tags of the packs that the next version may go on using. */
  readonly retained: ReadonlySet<number>
  /** In the order of its document. */
  readonly chunks: readonly ChunkEntry[]
  /** Returns the index of a chunk with an id. */
  readonly indexOf: (id: Uint8Array) => number | undefined
  /** Returns the node in a retained pack that lists just these entries of this version. */
  readonly nodeOver: (entries: ListNode['entries']) => NodeEntry | undefined
  /** Returns the node in a retained pack that has an id. */
  readonly nodeWith: (id: Uint8Array) => NodeEntry | undefined
}

/**
 * Opens the list of the last version, whose packs with nodes come one by one; `undefined` when there
 * is none, or it does not open.
 */
export async function openLast(
  terms: LastTerms | undefined,
  { secretbox, nodePacks }: openLast.Parts,
): Promise<LastVersion | undefined> {
  if (terms === undefined) return undefined
  try {
    return await readLast(terms, { secretbox, nodePacks })
  } catch (error) {
    if (isFailure(error, 'bundle/unreadable')) return undefined
    throw error
  }
}

export declare namespace openLast {
  type Parts = {
    readonly secretbox: Secretbox
    readonly nodePacks: AsyncIterable<Uint8Array>
  }
}

async function readLast(
  { lineKey, root: bytes, length, hasItems }: LastTerms,
  { secretbox, nodePacks }: openLast.Parts,
): Promise<LastVersion> {
  const root = readRoot(bytes)
  const { packs } = root
  const pieces = nodePacks[Symbol.asyncIterator]()
  const opened = new Map<number, Uint8Array>()
  for (const { tag, hasNodes } of packs) {
    if (hasNodes) opened.set(tag, (await pieces.next()).value)
  }
  const packOf = (tag: number) => opened.get(tag)
  const { chunks, nodes } = await readList(root, { secretbox, packOf, length })
  const entries = nodes.map(({ entry }) => entry)
  const retained = retainedPacks(packs, [...chunks, ...entries])
  const usable = nodes.filter(({ entry }) => retained.has(entry.tag))
  const nodeIndex = lazyIndex(usable.map(({ entry }) => entry))
  return {
    lineKey,
    hasItems,
    packs,
    retained,
    chunks,
    indexOf: lazyIndex(chunks),
    nodeOver: nodeOver(usable),
    nodeWith: (id) => usable[nodeIndex(id) ?? -1]?.entry,
  }
}

/** Returns the search for an entry, which is prepared at the first use: mostly little has changed. */
function lazyIndex(entries: readonly Place[]): LastVersion['indexOf'] {
  let indexOf: LastVersion['indexOf'] | undefined
  return (id) => {
    indexOf ??= idIndex(entries)
    return indexOf(id)
  }
}

/** Returns the search for a node by the very entries that it lists, which need not be encoded for it. */
function nodeOver(nodes: readonly OpenedNode[]): LastVersion['nodeOver'] {
  const byFirst = new Map<Place | undefined, OpenedNode>(
    nodes.map((node) => [node.children[0], node]),
  )
  return (entries) => {
    const { entry, children } = byFirst.get(entries[0]) ?? {}
    const isSame =
      children?.length === entries.length && children.every((it, at) => it === entries[at])
    return isSame ? entry : undefined
  }
}

/** An entry of a list, with an id of at least 4 bytes that nobody without the key of the line can choose. */
type WithId = { readonly id: Uint8Array }

/**
 * Returns the search for the index of an entry by its id; of several with one id, the last. A table
 * of numbers: a map with texts for keys takes three times as long to make, for each save anew.
 */
export function idIndex(entries: readonly WithId[]): (id: Uint8Array) => number | undefined {
  const mask = powerAbove(2 * entries.length) - 1
  /** Indices from 1, each in the first free slot from the one that its id begins with; 0 is free. */
  const table = new Int32Array(mask + 1)
  const slotOf = (id: Uint8Array): number => {
    let slot = firstNumber(id) & mask
    for (;;) {
      const held = entries[(table[slot] as number) - 1]
      if (held === undefined || isEqual(held.id, id)) return slot
      slot = (slot + 1) & mask
    }
  }
  for (const [at, { id }] of entries.entries()) table[slotOf(id)] = at + 1
  return (id) => {
    const found = table[slotOf(id)] as number
    return found === 0 ? undefined : found - 1
  }
}

function powerAbove(count: number): number {
  let power = 2
  while (power < count) power *= 2
  return power
}

function firstNumber(id: Uint8Array): number {
  let number = 0
  for (let at = 0; at < 4; at++) number = (number << 8) | (id[at] as number)
  return number
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0
