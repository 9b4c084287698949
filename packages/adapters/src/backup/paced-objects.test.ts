import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inParallel } from '../platform/in-parallel.ts'
import type { Objects } from './objects.ts'
import { pacedObjects } from './paced-objects.ts'

/** Returns objects in memory that count how many are stored at the same time, and for how long. */
function countedObjects(fails: ReadonlySet<string>) {
  const stored = new Map<string, Uint8Array>()
  const seen = { now: 0, most: 0, starts: [] as number[], ends: [] as number[] }
  const objects: Objects = {
    place: 'memory',
    list: async () => new Map(),
    get: async (name) => stored.get(name),
    put: async (name, bytes) => {
      seen.starts.push(performance.now())
      seen.now += 1
      seen.most = Math.max(seen.most, seen.now)
      await new Promise((resolve) => setTimeout(resolve, 4))
      seen.now -= 1
      seen.ends.push(performance.now())
      if (fails.has(name)) throw new Error(name)
      stored.set(name, bytes)
    },
    remove: async () => undefined,
    close: () => undefined,
  }
  return { objects, seen, stored }
}

type Seen = ReturnType<typeof countedObjects>['seen']

/** Expects that the next object began after a rest as long as the storing of this one. */
function expectRest({ starts, ends }: Seen, at: number): void {
  const [start = 0, end = 0, next = Number.POSITIVE_INFINITY] = [
    starts[at],
    ends[at],
    starts[at + 1],
  ]
  // Timers have whole milliseconds.
  expect(next - end).toBeGreaterThanOrEqual(end - start - 2)
}

const names = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { minLength: 2, maxLength: 10 })

describe('paced objects', () => {
  test('are stored one at a time while the disk is needed, each after a rest as long as its storing', async () => {
    const cases = fc.record({ all: names, failing: names })
    await fc.assert(
      fc.asyncProperty(cases, async ({ all, failing }) => {
        const { objects, seen, stored } = countedObjects(new Set(failing))
        const paced = pacedObjects(objects, () => true)
        const results = await Promise.allSettled(all.map((it) => paced.put(it, Buffer.from(it))))
        expect(seen.most).toBe(1)
        const expected = all.filter((it) => !failing.includes(it))
        expect([...stored.keys()]).toEqual(expected)
        expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
          all.map((it) => expected.includes(it)),
        )
        for (const at of all.keys()) if (expected.includes(all[at] ?? '')) expectRest(seen, at)
      }),
      { numRuns: 10 },
    )
  })

  test('are stored as many at a time as are sent while nobody needs the disk, and slower from the moment on that somebody does', async () => {
    const { objects, seen } = countedObjects(new Set())
    let isNeeded = false
    const paced = pacedObjects(objects, () => isNeeded)
    const put = (it: number) => paced.put(String(it), Buffer.from([it]))
    await inParallel(Array(8).keys(), 4, put)
    expect(seen.most).toBe(4)
    isNeeded = true
    seen.most = 0
    await inParallel(Array(8).keys(), 4, put)
    expect(seen.most).toBe(1)
  })
})
