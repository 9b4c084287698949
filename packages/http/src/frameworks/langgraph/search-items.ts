import type { ItemRecord } from './item-record.ts'

/** The comparisons of a filter, as in the stores of LangGraph. */
const comparisons: Readonly<Record<string, (value: unknown, given: unknown) => boolean>> = {
  $eq: (value, given) => value === given,
  $ne: (value, given) => value !== given,
  $gt: (value, given) => Number(value) > Number(given),
  $gte: (value, given) => Number(value) >= Number(given),
  $lt: (value, given) => Number(value) < Number(given),
  $lte: (value, given) => Number(value) <= Number(given),
  $in: (value, given) => Array.isArray(given) && given.includes(value),
  $nin: (value, given) => !Array.isArray(given) || !given.includes(value),
}

/** Returns whether a value has all members of a filter: a plain value, or comparisons such as `$gt`. */
export function matchesFilter(
  value: ItemRecord['value'],
  filter: Readonly<Record<string, unknown>> = {},
): boolean {
  return Object.entries(filter).every(([name, needed]) => {
    const has = Object.hasOwn(value, name) ? value[name] : undefined
    const given = Object.entries(isObject(needed) ? needed : { $eq: needed })
    const isComparison = given.every(([operator]) => Object.hasOwn(comparisons, operator))
    if (!isComparison) return JSON.stringify(has) === JSON.stringify(needed)
    return given.every(([operator, operand]) => comparisons[operator]?.(has, operand))
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Orders items by how many words of a query they have; the score is the part of its words, 0 to 1. */
export function rankByWords(items: readonly ItemRecord[], query: string) {
  const words = [...new Set(wordsOf(query))]
  const scored = items.map((item) => {
    const own = new Set(wordsOf(JSON.stringify(item.value)))
    const score = words.filter((it) => own.has(it)).length / Math.max(1, words.length)
    return { item, score }
  })
  return scored.toSorted((one, other) => other.score - one.score)
}

const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
