import { setImmediate } from 'node:timers/promises'
import type { UnchangedRun } from '@heirloom/core'
import { type Cutter, cutter, evenCutter } from './cutter.ts'
import type { LastVersion } from './last-version.ts'
import { bytesOf, type LineKeys, textOf } from './line-keys.ts'

/** A chunk of a document before it is sealed. */
export type Cut = {
  /** The position after it. */
  readonly end: number
  readonly id: Uint8Array
  /** The index of an equal chunk of the last version; `undefined` when there is none. */
  readonly known: number | undefined
}

export declare namespace cutDocument {
  type Input = {
    readonly keys: LineKeys
    readonly last: LastVersion | undefined
    /** Whether another version may share chunks. */
    readonly isShared: boolean
  }
}

/** The number of bytes that are searched for cuts at a time: after a change, what follows may be as it was. */
const searched = { first: 1_048_576, next: 65_536 } as const

/** The number of bytes after which other jobs have their turn. */
const turnLength = 4_194_304

/**
 * Cuts a document into chunks. Where the last version goes on with the same chunk, its end is known,
 * so that only what changed is searched for cuts.
 */
export async function cutDocument(
  document: Uint8Array,
  { keys, last, isShared }: cutDocument.Input,
): Promise<readonly Cut[]> {
  const cuts: Cut[] = []
  const cut = isShared ? cutter(keys.cuts) : evenCutter
  const cutting = { document, keys, last, cut, cuts }
  for (let start = 0, turn = turnLength; start < document.length; start = cuts.at(-1)?.end ?? 0) {
    if (start > turn) {
      turn = start + turnLength
      await setImmediate()
    }
    if (!addGuided(cutting, start)) search(cutting, start)
  }
  return cuts
}

type Cutting = Omit<cutDocument.Input, 'isShared'> & {
  readonly document: Uint8Array
  readonly cut: Cutter
  readonly cuts: Cut[]
}

/** Adds the chunk that followed the same one in the last version, if it follows here, too. */
function addGuided({ document, keys, last, cuts }: Cutting, start: number): boolean {
  if (last === undefined) return false
  const known = successorOf(last, cuts.at(-1))
  if (known === undefined) return false
  const { id, length } = last.chunks[known] as LastVersion['chunks'][0]
  const end = start + length
  if (end > document.length) return false
  if (keys.chunkId(document.subarray(start, end)) !== textOf(id)) return false
  cuts.push({ end, id, known })
  return true
}

/** Returns the index of the chunk that followed; that of the last one is none: it ended with its document. */
function successorOf({ chunks }: LastVersion, before: Cut | undefined): number | undefined {
  if (before !== undefined && before.known === undefined) return undefined
  const index = (before?.known ?? -1) + 1
  return index < chunks.length - 1 ? index : undefined
}

/** Adds at least one chunk, and others until one is known. */
function search({ document, keys, last, cut, cuts }: Cutting, from: number): void {
  const length = last === undefined ? searched.first : searched.next
  const to = Math.min(document.length, from + length)
  let start = from
  for (const length of cut(document.subarray(from, to), to === document.length)) {
    const end = from + length
    const id = bytesOf(keys.chunkId(document.subarray(start, end)))
    const added = { end, id, known: last?.indexOf(id) }
    cuts.push(added)
    start = end
    if (last !== undefined && successorOf(last, added) !== undefined) return
  }
}

/** Returns what of a document is unchanged since the last version: chunks that follow each other in both. */
export function unchangedRuns(
  cuts: readonly Cut[],
  { chunks }: Pick<LastVersion, 'chunks'>,
): readonly UnchangedRun[] {
  const runs: { readonly offset: number; readonly first: number; count: number }[] = []
  let before: Partial<Cut> = {}
  for (const cut of cuts) {
    const { known } = cut
    const follows = known !== undefined && before.known === known - 1
    if (follows) (runs.at(-1) as (typeof runs)[0]).count += 1
    else if (known !== undefined) runs.push({ offset: before.end ?? 0, first: known, count: 1 })
    before = cut
  }
  return runs.map(({ offset, first, count }) => ({
    offset,
    segments: chunks.slice(first, first + count),
  }))
}
