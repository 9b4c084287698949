import type { Align, Span } from './align.ts'

/** A part of three lists: an item that all have, or a part between such items. */
export type Chunk = {
  readonly isShared: boolean
  readonly base: Span
  readonly ours: Span
  readonly theirs: Span
}

type Lists = Readonly<Record<'base' | 'ours' | 'theirs', readonly number[]>>

/** Divides three lists of keys into the items that all have, and what is between them. */
export function divide(align: Align, { base, ours, theirs }: Lists): readonly Chunk[] {
  const inTheirs = new Map(align(base, theirs))
  const chunks: Chunk[] = []
  let [at, ourAt, theirAt] = [0, 0, 0]
  const addBefore = (to: number, ourTo: number, theirTo: number) => {
    if (at === to && ourAt === ourTo && theirAt === theirTo) return
    chunks.push({
      isShared: false,
      base: [at, to],
      ours: [ourAt, ourTo],
      theirs: [theirAt, theirTo],
    })
  }
  for (const [place, ourPlace] of align(base, ours)) {
    const theirPlace = inTheirs.get(place)
    if (theirPlace === undefined) continue
    addBefore(place, ourPlace, theirPlace)
    ;[at, ourAt, theirAt] = [place + 1, ourPlace + 1, theirPlace + 1]
    const spans = {
      base: [place, at],
      ours: [ourPlace, ourAt],
      theirs: [theirPlace, theirAt],
    } as const
    chunks.push({ isShared: true, ...spans })
  }
  addBefore(base.length, ours.length, theirs.length)
  return chunks
}

/** The merge of a part that two sides may have changed. */
export type Outcome = 'ours' | 'theirs' | 'conflict'

/** Decides a part of three lists: the side that changed it, or a conflict when both did. */
export function decide({ base, ours, theirs }: Lists): Outcome {
  if (isSameList(base, theirs) || isSameList(ours, theirs)) return 'ours'
  return isSameList(base, ours) ? 'theirs' : 'conflict'
}

const isSameList = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((it, at) => it === other[at])
