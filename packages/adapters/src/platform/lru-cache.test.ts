import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lruCache } from './lru-cache.ts'

const limit = 4
const key = fc.nat(12)
const use = fc.record({ sets: fc.boolean(), key })
// Long enough for several generations.
const uses = fc.array(use, { maxLength: 100, size: 'max' })

/** Uses keys in turn, in the cache and in an exact model; each value is the turn it was set in. */
function afterUses(uses: readonly { readonly sets: boolean; readonly key: number }[]) {
  const cache = lruCache<number, number>(limit)
  const exact = new Map<number, number>()
  for (const [turn, { sets, key }] of uses.entries()) {
    const value = sets ? turn : cache.get(key)
    if (sets) cache.set(key, turn)
    if (value === undefined) continue
    exact.delete(key)
    exact.set(key, value)
  }
  return { cache, exact: [...exact] }
}

describe('an LRU cache', () => {
  it('holds the values used most recently, as they were last set', () => {
    fc.assert(
      fc.property(uses, (uses) => {
        for (const [key, value] of afterUses(uses).exact.slice(-limit)) {
          expect(afterUses(uses).cache.get(key)).toBe(value)
        }
      }),
    )
  })

  it('never returns an outdated value', () => {
    fc.assert(
      fc.property(uses, key, (uses, read) => {
        const last = uses.findLastIndex(({ sets, key }) => sets && key === read)
        expect([last, undefined]).toContain(afterUses(uses).cache.get(read))
      }),
    )
  })

  it('holds at most twice its limit, however many values were set', () => {
    const cache = lruCache<number, number>(1000)
    for (let key = 0; key < 100_000; key++) cache.set(key, key)
    const left = Array.from({ length: 100_000 }, (_, key) => key).filter(
      (key) => cache.get(key) !== undefined,
    )
    expect(left.length).toBeGreaterThanOrEqual(1000)
    expect(left.length).toBeLessThanOrEqual(2000)
  })

  /** Returns a cache of weight 10 with these values, each of which is its own weight. */
  function cacheOf(values: readonly number[]) {
    const cache = lruCache<number, number>(10, (weight) => weight)
    for (const [key, weight] of values.entries()) cache.set(key, weight)
    return cache
  }

  it('holds at most twice its limit by weight, whatever each value weighs', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 100, size: 'max' })
    fc.assert(
      fc.property(weights, (values) => {
        const left = values.filter((_, key) => cacheOf(values).get(key) !== undefined)
        expect(left.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(20)
        expect(cacheOf(values).get(values.length - 1)).toBe(values.at(-1))
      }),
    )
  })

  it('does not return a deleted value', () => {
    fc.assert(
      fc.property(uses, key, (uses, deleted) => {
        const { cache } = afterUses(uses)
        cache.delete(deleted)
        expect(cache.get(deleted)).toBeUndefined()
      }),
    )
  })
})
