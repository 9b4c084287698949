import type { Pair } from './align.ts'
import type { Comparing, Comparison, Place } from './comparison.ts'
import {
  isSameText,
  itemsOf,
  kindOf,
  type Member,
  membersOf,
  type NumberOf,
  pointerTo,
  textOf,
  type Value,
} from './json-value.ts'

/** The names of members that identify an item of a list, the first that an item has. */
const idNames = ['id', '_id', 'uuid', 'uid', 'messageId', 'message_id'] as const

/** The keys of lists that are compared: items with equal keys are the same item. */
type ItemKeys = {
  readonly keys: readonly (readonly number[])[]
  /** Whether a key is an id; otherwise it is the number of the whole item. */
  readonly isId: (key: number) => boolean
}

/**
 * Returns the keys of the items of lists: the number of the item, or an id of its own where each list
 * has that id at most once.
 */
export function keyItems(lists: readonly (readonly Value[])[], numberOf: NumberOf): ItemKeys {
  const ids = lists.map((items) => items.map((item) => idOf(item, numberOf)))
  const repeated = new Set(ids.flatMap(repeatedIn))
  const numbers = new Map<string, number>()
  const keyOf = (item: Value, id: string | undefined) => {
    if (id === undefined || repeated.has(id)) return numberOf(item)
    // Below zero, so that no id is the number of a value.
    const key = numbers.get(id) ?? -1 - numbers.size
    numbers.set(id, key)
    return key
  }
  const keys = lists.map((items, list) => items.map((item, at) => keyOf(item, ids[list]?.[at])))
  return { keys, isId: (key) => key < 0 }
}

function idOf(item: Value, numberOf: NumberOf): string | undefined {
  const members = kindOf(item) === 'object' ? membersOf(item) : undefined
  const name = idNames.find((it) => isId(members?.get(it)))
  const member = name === undefined ? undefined : members?.get(name)
  return member && `${name}:${numberOf(member.value)}`
}

const isId = (member: Member | undefined): boolean => {
  const kind = member === undefined ? undefined : kindOf(member.value)
  return kind === 'string' || kind === 'word'
}

function repeatedIn(ids: readonly (string | undefined)[]): readonly string[] {
  const seen = new Set<string>()
  const repeated: string[] = []
  for (const id of ids) {
    if (id === undefined) continue
    if (seen.has(id)) repeated.push(id)
    seen.add(id)
  }
  return repeated
}

/** Adds the differences between the items of two lists to the changes. */
export function* diffItems(comparison: Comparison, place: Place): Comparing {
  const [items, itemsAfter] = [itemsOf(place.before), itemsOf(place.after)]
  const ends = [items.length, itemsAfter.length] as const
  let last: Pair = [-1, -1]
  for (const pair of [...pairItems(comparison, items, itemsAfter), ends]) {
    addUnpaired(comparison, place, [items, itemsAfter], [last, pair])
    const [before, after] = [items[pair[0]], itemsAfter[pair[1]]]
    if (before && after && !isSameText(before, after)) {
      const pathBefore = pointerTo(place.pathBefore, pair[0])
      yield { before, after, pathBefore, path: pointerTo(place.path, pair[1]) }
    }
    last = pair
  }
}

/** Adds the items between two pairs to the changes: those removed, then those added. */
function addUnpaired(
  { changes }: Comparison,
  { pathBefore, path }: Place,
  [items, itemsAfter]: readonly [readonly Value[], readonly Value[]],
  [[last, lastAfter], [to, toAfter]]: readonly [Pair, Pair],
): void {
  for (let at = last + 1; at < to; at++) {
    const [from, pathInPatch] = [pointerTo(pathBefore, at), pointerTo(path, lastAfter + 1)]
    const value = textOf(items[at] as Value)
    changes.push({ kind: 'removed', path: from, pathInPatch, value })
  }
  for (let at = lastAfter + 1; at < toAfter; at++) {
    const value = textOf(itemsAfter[at] as Value)
    changes.push({ kind: 'added', path: pointerTo(path, at), value })
  }
}

/** Pairs the items of two lists that are the same item, or stand in the place of one another. */
function pairItems(
  comparison: Comparison,
  items: readonly Value[],
  itemsAfter: readonly Value[],
): readonly Pair[] {
  const start = sameStart(items, itemsAfter)
  const tail = sameStart(items.slice(start).reverse(), itemsAfter.slice(start).reverse())
  const [middle, middleAfter] = [
    items.slice(start, -tail || undefined),
    itemsAfter.slice(start, -tail || undefined),
  ]
  const pairs: Pair[] = Array.from({ length: start }, (_, at) => [at, at])
  for (const [at, atAfter] of pairMiddles(comparison, middle, middleAfter)) {
    pairs.push([start + at, start + atAfter])
  }
  for (let left = tail; left > 0; left--) {
    pairs.push([items.length - left, itemsAfter.length - left])
  }
  return pairs
}

/** Pairs equal items, and between them the items of rows that were replaced one by one. */
function pairMiddles(
  { align, numberOf }: Comparison,
  items: readonly Value[],
  itemsAfter: readonly Value[],
): readonly Pair[] {
  const { keys, isId } = keyItems([items, itemsAfter], numberOf)
  const [one = [], other = []] = keys
  const isReplaced = ([at, atOther]: Pair) =>
    !isId(one[at] ?? 0) && !isId(other[atOther] ?? 0) && isSameKind(items[at], itemsAfter[atOther])
  const pairs: Pair[] = []
  let last: Pair = [-1, -1]
  for (const pair of [...align(one, other), [one.length, other.length] as const]) {
    for (const place of rowBetween(last, pair)) if (isReplaced(place)) pairs.push(place)
    pairs.push(pair)
    last = pair
  }
  return pairs.slice(0, -1)
}

/** Returns the places of rows of equal length between two pairs; none for other rows. */
function rowBetween([from, fromOther]: Pair, [to, toOther]: Pair): readonly Pair[] {
  if (to - from !== toOther - fromOther) return []
  return range(to - from - 1).map((at) => [from + 1 + at, fromOther + 1 + at])
}

const range = (length: number): readonly number[] => Array.from({ length }, (_, at) => at)

const isSameKind = (one: Value | undefined, other: Value | undefined): boolean =>
  one !== undefined && other !== undefined && kindOf(one) === kindOf(other)

/** Returns how many items two lists begin with that are written alike. */
function sameStart(items: readonly Value[], others: readonly Value[]): number {
  const most = Math.min(items.length, others.length)
  let length = 0
  while (length < most && isSameText(items[length] as Value, others[length] as Value)) length++
  return length
}
