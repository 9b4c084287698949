import { kindOf, type Member, membersOf, type Value } from './json-value.ts'
import type { NumberOf } from './number-values.ts'

/** The names of members that identify an item of a list, the first that an item has. */
const idNames = ['id', '_id', 'uuid', 'uid', 'messageId', 'message_id'] as const

/** The keys of lists that are compared: items with equal keys are the same item. */
export type ItemKeys = {
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
