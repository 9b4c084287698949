import type { ScanPoint } from '@heirloom/core'
import type { ChunkEntry, NodeEntry } from './list-node.ts'
import type { PartList } from './list-tree.ts'

/** A chunk, and the state of the scan after it where that is known. */
export type KnownChunk = {
  readonly entry: ChunkEntry
  readonly next: ScanPoint | undefined
}

/** The chunks and nodes that need not be sealed again. */
export type KnownParts = {
  chunk(id: Uint8Array): KnownChunk | undefined
  /**
   * Returns the chunk that followed one in the last version; the first one without an id. It may be in
   * a pack that is not used any more. The last chunk ended with its document, so it is no guide.
   */
  following(id?: Uint8Array): ChunkEntry | undefined
  node(id: Uint8Array): NodeEntry | undefined
  /** Adds a chunk that is sealed now, since a document may hold one several times. */
  add(known: KnownChunk): void
}

const nameOf = (id: Uint8Array) =>
  Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('latin1')

/** Returns the parts of a list that are in packs which may go on being used. */
export function knownParts(list: PartList | undefined, retained: ReadonlySet<number>): KnownParts {
  const { chunks: listed = [], nodes: listedNodes = [] } = list ?? {}
  const chunks = new Map<string, KnownChunk>()
  for (const [at, entry] of listed.entries()) {
    const next = listed[at + 1]?.from
    if (retained.has(entry.tag)) chunks.set(nameOf(entry.id), { entry, next })
  }
  const usableNodes = listedNodes.filter(({ tag }) => retained.has(tag))
  const nodes = new Map(usableNodes.map((entry) => [nameOf(entry.id), entry]))
  const guides = listed.slice(0, -1)
  const followers = followersIn(guides)
  return {
    chunk: (id) => chunks.get(nameOf(id)),
    following: (id) => (id === undefined ? guides[0] : followers.get(nameOf(id))),
    node: (id) => nodes.get(nameOf(id)),
    add: (known) => {
      chunks.set(nameOf(known.entry.id), known)
    },
  }
}

/** Returns for the id of each chunk the one after it. */
function followersIn(chunks: readonly ChunkEntry[]): ReadonlyMap<string, ChunkEntry> {
  const followers = new Map<string, ChunkEntry>()
  for (const [at, entry] of chunks.slice(1).entries()) {
    followers.set(nameOf((chunks[at] as ChunkEntry).id), entry)
  }
  return followers
}
