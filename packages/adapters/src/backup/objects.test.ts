import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inParallel } from '../platform/in-parallel.ts'
import { busyWidth, type Objects, pacedObjects } from './objects.ts'

/** Returns objects in memory that count how many are stored at the same time. */
function countedObjects(fails: ReadonlySet<string>) {
  const stored = new Map<string, Uint8Array>()
  const seen = { now: 0, most: 0 }
  const objects: Objects = {
    place: 'memory',
    list: async () => new Map(),
    get: async (name) => stored.get(name),
    put: async (name, bytes) => {
      seen.now += 1
      seen.most = Math.max(seen.most, seen.now)
      await new Promise((resolve) => setTimeout(resolve, 4))
      seen.now -= 1
      if (fails.has(name)) throw new Error(name)
      stored.set(name, bytes)
    },
    remove: async () => undefined,
    close: () => undefined,
  }
  return { objects, seen, stored }
}

const names = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'), {
  minLength: 2,
  maxLength: 16,
})

describe('paced objects', () => {
  test('are stored a few at a time while the disk is needed', async () => {
    const cases = fc.record({ all: names, failing: names })
    await fc.assert(
      fc.asyncProperty(cases, async ({ all, failing }) => {
        const { objects, seen, stored } = countedObjects(new Set(failing))
        const paced = pacedObjects(objects, () => true)
        const results = await Promise.allSettled(all.map((it) => paced.put(it, Buffer.from(it))))
        expect(seen.most).toBe(Math.min(all.length, busyWidth))
        const expected = all.filter((it) => !failing.includes(it))
        expect([...stored.keys()].toSorted()).toEqual(expected.toSorted())
        expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
          all.map((it) => expected.includes(it)),
        )
      }),
      { numRuns: 10 },
    )
  })

  test('are stored as many at a time as are sent while nobody needs the disk, and slower from the moment on that somebody does', async () => {
    const { objects, seen } = countedObjects(new Set())
    let isNeeded = false
    const paced = pacedObjects(objects, () => isNeeded)
    const put = (it: number) => paced.put(String(it), Buffer.from([it]))
    await inParallel(Array(32).keys(), 16, put)
    expect(seen.most).toBe(16)
    isNeeded = true
    seen.most = 0
    await inParallel(Array(32).keys(), 16, put)
    expect(seen.most).toBe(busyWidth)
  })
})
