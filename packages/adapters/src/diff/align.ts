import { diffArrays } from 'diff'

/** The places of equal items in two lists; both places grow from pair to pair. */
export type Pair = readonly [one: number, other: number]

/** A part of a list: from a place, and before another. */
export type Span = readonly [from: number, to: number]

/** Pairs equal items of two lists, in order. */
export type Align = (one: readonly number[], other: readonly number[]) => readonly Pair[]

/**
 * Returns a function that pairs equal items of two lists. Items that occur once in both lists are
 * paired first, as many as can be; between them a longest common subsequence is searched. All calls
 * together share a bound of work, and what is beyond it stays without a pair.
 */
export function createAligner(): Align {
  const search = createSearch()
  return (one, other) => {
    const start = commonStart(one, other)
    const tail = commonEnd(one, other, start)
    const [to, toOther] = [one.length - tail, other.length - tail]
    const pairs: Pair[] = diagonal([0, 0], start)
    let last: Pair = [start - 1, start - 1]
    for (const pair of [...anchorsOf(one, other, [start, to, toOther]), [to, toOther] as const]) {
      for (const found of searchBetween(search, [one, other], [last, pair])) pairs.push(found)
      pairs.push(pair)
      last = pair
    }
    pairs.pop()
    for (const pair of diagonal([to, toOther], tail)) pairs.push(pair)
    return pairs
  }
}

const diagonal = ([from, fromOther]: Pair, length: number): Pair[] =>
  Array.from({ length }, (_, at) => [from + at, fromOther + at])

function searchBetween(
  search: Align,
  [one, other]: readonly [readonly number[], readonly number[]],
  [[last, lastOther], [to, toOther]]: readonly [Pair, Pair],
): readonly Pair[] {
  const parts = [one.slice(last + 1, to), other.slice(lastOther + 1, toOther)] as const
  return search(...parts).map(([at, atOther]) => [last + 1 + at, lastOther + 1 + atOther])
}

function commonStart(one: readonly number[], other: readonly number[]): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one[length] === other[length]) length++
  return length
}

function commonEnd(one: readonly number[], other: readonly number[], start: number): number {
  const most = Math.min(one.length, other.length) - start
  let length = 0
  while (length < most && one.at(-1 - length) === other.at(-1 - length)) length++
  return length
}

/** Returns the longest row of pairs of items that occur once in both lists. */
function anchorsOf(
  one: readonly number[],
  other: readonly number[],
  [start, to, toOther]: readonly [number, number, number],
): readonly Pair[] {
  const places = oncePlaces(other, [start, toOther])
  const once = oncePlaces(one, [start, to])
  const pairs: Pair[] = []
  for (const [item, at] of once) {
    const atOther = places.get(item)
    if (at >= 0 && atOther !== undefined && atOther >= 0) pairs.push([at, atOther])
  }
  return longestGrowing(pairs)
}

/** Returns the place of each item of a part of a list; -1 for one that is there more than once. */
function oncePlaces(list: readonly number[], [from, to]: Span): ReadonlyMap<number, number> {
  const places = new Map<number, number>()
  for (let at = from; at < to; at++) {
    const item = list[at] as number
    places.set(item, places.has(item) ? -1 : at)
  }
  return places
}

/** Returns the longest part of the pairs whose second places grow (patience sorting). */
function longestGrowing(pairs: readonly Pair[]): readonly Pair[] {
  const lasts: number[] = []
  const before: number[] = []
  for (const [index, [, place]] of pairs.entries()) {
    const pile = pileOf(lasts, (at) => (pairs[at] as Pair)[1] < place)
    before[index] = pile === 0 ? -1 : (lasts[pile - 1] as number)
    lasts[pile] = index
  }
  const row: Pair[] = []
  for (let at = lasts.at(-1) ?? -1; at >= 0; at = before[at] as number) row.push(pairs[at] as Pair)
  return row.reverse()
}

/** Returns the number of leading piles whose top is below; a binary search. */
function pileOf(lasts: readonly number[], isBelow: (index: number) => boolean): number {
  let [low, high] = [0, lasts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBelow(lasts[middle] as number)) low = middle + 1
    else high = middle
  }
  return low
}

/** The most steps of all searches of a comparison: some 300 ms. */
const mostWork = 40_000_000

/** The longest edit that is searched, before and after that work is done. */
const longestEdits = { before: 2000, after: 8 } as const

/** Returns a search for a longest common subsequence (Myers), bounded over all its calls. */
function createSearch(): Align {
  let left = mostWork
  return (one, other) => {
    const length = one.length + other.length
    if (one.length === 0 || other.length === 0) return []
    const affordable = Math.min(longestEdits.before, Math.floor(left / length))
    const maxEditLength = Math.max(longestEdits.after, affordable)
    left = Math.max(0, left - length * Math.min(length, maxEditLength))
    return commonOf(diffArrays([...one], [...other], { maxEditLength }) ?? [])
  }
}

type Part = { readonly added: boolean; readonly removed: boolean; readonly count: number }

/** Returns the pairs of what two lists have in common, in a row of differences. */
function commonOf(parts: readonly Part[]): readonly Pair[] {
  let [at, atOther] = [0, 0]
  return parts.flatMap(({ added, removed, count }) => {
    const from = [at, atOther] as const
    if (!added) at += count
    if (!removed) atOther += count
    return added || removed ? [] : diagonal(from, count)
  })
}
