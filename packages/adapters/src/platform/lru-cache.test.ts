import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lruCache } from './lru-cache.ts'

const most = 4
const key = fc.nat(12)
const use = fc.record({ sets: fc.boolean(), key })
// Long enough that what was kept is moved on several times.
const uses = fc.array(use, { maxLength: 100, size: 'max' })

/** Uses keys in turn; each value is the number of the turn it was set in. */
function used(uses: readonly { readonly sets: boolean; readonly key: number }[]) {
  const memory = lruCache<number, number>(most)
  const perfect = new Map<number, number>()
  for (const [turn, { sets, key }] of uses.entries()) {
    const value = sets ? turn : memory.get(key)
    if (sets) memory.set(key, turn)
    if (value === undefined) continue
    perfect.delete(key)
    perfect.set(key, value)
  }
  return { memory, perfect: [...perfect] }
}

describe('a memory of what was used lately', () => {
  it('has the values used last, as they were set last', () => {
    fc.assert(
      fc.property(uses, (uses) => {
        for (const [key, value] of used(uses).perfect.slice(-most)) {
          expect(used(uses).memory.get(key)).toBe(value)
        }
      }),
    )
  })

  it('has no value but the one that was set last', () => {
    fc.assert(
      fc.property(uses, key, (uses, asked) => {
        const last = uses.findLastIndex(({ sets, key }) => sets && key === asked)
        expect([last, undefined]).toContain(used(uses).memory.get(asked))
      }),
    )
  })

  it('has at most twice as many, however many there were', () => {
    const memory = lruCache<number, number>(1000)
    for (let key = 0; key < 100_000; key++) memory.set(key, key)
    const left = Array.from({ length: 100_000 }, (_, key) => key).filter(
      (key) => memory.get(key) !== undefined,
    )
    expect(left.length).toBeGreaterThanOrEqual(1000)
    expect(left.length).toBeLessThanOrEqual(2000)
  })

  /** Returns a memory of 10 by weight, after values that weigh as much as they are. */
  function filled(values: readonly number[]) {
    const memory = lruCache<number, number>(10, (weight) => weight)
    for (const [key, weight] of values.entries()) memory.set(key, weight)
    return memory
  }

  it('has at most twice the weight, whatever each value weighs', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 100, size: 'max' })
    fc.assert(
      fc.property(weights, (values) => {
        const left = values.filter((_, key) => filled(values).get(key) !== undefined)
        expect(left.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(20)
        expect(filled(values).get(values.length - 1)).toBe(values.at(-1))
      }),
    )
  })

  it('has nothing of what was deleted', () => {
    fc.assert(
      fc.property(uses, key, (uses, deleted) => {
        const { memory } = used(uses)
        memory.delete(deleted)
        expect(memory.get(deleted)).toBeUndefined()
      }),
    )
  })
})
