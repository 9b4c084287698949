import type { Align, Span } from './align.ts'
import { keyItems } from './diff-items.ts'
import { isSameText, itemsOf, pointerTo, textOf, type Value } from './json-value.ts'
import { type MergeSteps, type Merging, settle, type Three } from './merging.ts'

/** A part of three lists: an item that all have, or a part between such items. */
type Chunk = {
  readonly isShared: boolean
  readonly base: Span
  readonly ours: Span
  readonly theirs: Span
}

type Sequences = Readonly<Record<'base' | 'ours' | 'theirs', readonly number[]>>

/** Divides three lists of keys into the items that all have, and what is between them. */
export function divide(align: Align, { base, ours, theirs }: Sequences): readonly Chunk[] {
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
type Outcome = 'ours' | 'theirs' | 'conflict'

/** Decides a part of three lists: the side that changed it, or a conflict when both did. */
export function decide({ base, ours, theirs }: Sequences): Outcome {
  if (isSameList(base, theirs) || isSameList(ours, theirs)) return 'ours'
  return isSameList(base, ours) ? 'theirs' : 'conflict'
}

const isSameList = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((it, at) => it === other[at])

type Side = 'base' | 'ours' | 'theirs'
type Lists<T> = Readonly<Record<Side, readonly T[]>>

/** Merges three lists item by item, and returns the merged list as JSON. */
export function* mergeItems(merging: Merging, three: Three): MergeSteps<string> {
  const all = mapSides(three, itemsOf)
  const [start, tail] = sharedEnds(all)
  const items = mapSides(all, (list) => list.slice(start, list.length - tail))
  const { keys, isId } = keyItems([items.base, items.ours, items.theirs], merging.numberOf)
  const [base = [], ours = [], theirs = []] = keys
  const keyed: Keyed = { items, keys: { base, ours, theirs }, isId, path: three.path, start }
  const before = merging.conflicts.length
  const chunks = divide(merging.align, keyed.keys)
  const merged: Merged[] = []
  for (const chunk of chunks) merged.push(yield* mergeChunk(merging, keyed, chunk))
  if (merging.conflicts.length === before && !isEachOnce(keyed, chunks, merged)) {
    const conflict = { kind: 'items', path: three.path, at: 0 } as const
    return settle(merging, { ...conflict, ...mapSides(three, textOf) }) ?? '[]'
  }
  const texts = merged.flatMap((it) => it.texts)
  const [head, end] = [all.base.slice(0, start), all.base.slice(all.base.length - tail)]
  return `[${[...textsOf(head), ...texts, ...textsOf(end)].join(',')}]`
}

type Keyed = {
  readonly items: Lists<Value>
  readonly keys: Lists<number>
  readonly isId: (key: number) => boolean
  readonly path: string
  /** The number of items before the middle. */
  readonly start: number
}

/** Merged items: their texts, and their keys unless they are merged of several or decided. */
type Merged = { readonly texts: readonly string[]; readonly keys?: readonly number[] }

function* mergeChunk(merging: Merging, keyed: Keyed, chunk: Chunk): MergeSteps<Merged> {
  const { items, keys, path, start } = keyed
  const parts = mapSides(items, (list, side) => list.slice(...chunk[side]))
  const place = start + chunk.base[0]
  if (chunk.isShared || isReplaced(keyed, chunk)) {
    const firsts = mapSides(parts, ([first]) => first)
    const text = yield { path: pointerTo(path, place), ...firsts }
    const merged = { texts: text === undefined ? [] : [text] }
    return chunk.isShared ? { ...merged, keys: keys.base.slice(...chunk.base) } : merged
  }
  // Items with equal ids may still differ, so that the whole items are compared here.
  const outcome = decide(mapSides(parts, (list) => list.map(merging.numberOf)))
  if (outcome !== 'conflict') {
    return { texts: textsOf(parts[outcome]), keys: keys[outcome].slice(...chunk[outcome]) }
  }
  const sides = mapSides(parts, (list) => `[${textsOf(list).join(',')}]`)
  const text = settle(merging, { kind: 'items', path, at: place, ...sides }, joinLists)
  return { texts: insideOf(text ?? '[]') }
}

/** Returns whether each side has another item without an id in the place of one item. */
function isReplaced({ keys, isId }: Keyed, chunk: Chunk): boolean {
  return sides.every((side) => {
    const [from, to] = chunk[side]
    return to - from === 1 && !isId(keys[side][from] ?? 0)
  })
}

/**
 * Returns whether each item is in the merged list as often as the side that changed that wants it. It
 * is not when one side moved an item that the other side moved elsewhere or removed.
 */
function isEachOnce({ keys }: Keyed, chunks: readonly Chunk[], merged: readonly Merged[]): boolean {
  const counts = new Map<number, Count>()
  const add = (part: keyof Count, found: readonly number[]) => {
    for (const key of found) {
      const count = counts.get(key) ?? { base: 0, ours: 0, theirs: 0, merged: 0 }
      count[part]++
      counts.set(key, count)
    }
  }
  for (const [at, chunk] of chunks.entries()) {
    const found = merged[at]?.keys
    if (found === undefined) continue
    for (const side of sides) add(side, keys[side].slice(...chunk[side]))
    add('merged', found)
  }
  return [...counts.values()].every(hasRightCount)
}

type Count = Record<Side | 'merged', number>

const hasRightCount = ({ base, ours, theirs, merged }: Count): boolean => {
  if (ours === theirs || theirs === base) return merged === ours
  return ours === base && merged === theirs
}

/** Returns how many items at both ends are written alike in all three lists. */
function sharedEnds({ base, ours, theirs }: Lists<Value>): readonly [start: number, tail: number] {
  const most = Math.min(base.length, ours.length, theirs.length)
  const isShared = (at: number) => {
    const [one, other, third] = [base.at(at), ours.at(at), theirs.at(at)]
    return (
      one !== undefined && [other, third].every((it) => it !== undefined && isSameText(one, it))
    )
  }
  let [start, tail] = [0, 0]
  while (start < most && isShared(start)) start++
  while (start + tail < most && isShared(-1 - tail)) tail++
  return [start, tail]
}

const sides: readonly Side[] = ['base', 'ours', 'theirs']

const mapSides = <From, To>(
  { base, ours, theirs }: Readonly<Record<Side, From>>,
  map: (from: From, side: Side) => To,
): Readonly<Record<Side, To>> => ({
  base: map(base, 'base'),
  ours: map(ours, 'ours'),
  theirs: map(theirs, 'theirs'),
})

const textsOf = (items: readonly Value[]): readonly string[] => items.map(textOf)

const joinLists = (ours: string, theirs: string): string =>
  `[${[...insideOf(ours), ...insideOf(theirs)].join(',')}]`

/** Returns the text between the brackets of a list, or nothing for an empty one. */
function insideOf(list: string): readonly string[] {
  const inside = list.trim().slice(1, -1).trim()
  return inside === '' ? [] : [inside]
}
