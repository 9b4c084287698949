import { expect, onTestFinished, test, vi } from 'vitest'
import { signal } from '../../platform/signal.ts'
import type { CatalogueStore } from '../catalogue-store.ts'
import { readCatalogueState } from '../projection/advance.ts'
import { sqliteCatalogueStore } from '../sqlite-catalogue-store.ts'
import { contradictionAt } from './contradiction.ts'
import type { CatalogueEvent, Indexer, IndexerContext } from './indexer.ts'
import { indexerLoop } from './indexer-loop.ts'
import { pollPace } from './poll-pace.ts'

const identity = { chainId: 1, genesis: '0x1', registry: '0x2', marketplace: '0x3' } as const

test('looks up at once what was indexed during a lookup that found nothing', async () => {
  // No timer ends, so only a change can begin the second lookup.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const store = await sqliteCatalogueStore(':memory:', identity)
  const [lookup, indexed, second] = [signal(), signal(), signal()]
  let [lookups, steps] = [0, 0]
  const loop = indexerLoop({
    context: { store, observe: () => undefined } as unknown as IndexerContext,
    pace: pollPace({ request: async () => undefined }),
    isShared: false,
    indexer: {
      step: async () => {
        steps += 1
        if (steps === 1) await lookup.wait()
        else indexed.notify()
        return steps === 1
      },
      confirm: async () => false,
      head: () => 0,
      version: () => 0,
    },
    lookUp: async () => {
      lookups += 1
      if (lookups > 1) second.notify()
      lookup.notify()
      if (lookups === 1) await indexed.wait()
      return 0
    },
  })
  expect(await second.wait()).toBe('notified')
  await loop.stop()
  await store.close()
})

/** Runs a loop until it has ended so many readings, and returns what it observed and how long it took. */
async function readingsOf(indexer: Pick<Indexer, 'step' | 'confirm'>, count: number) {
  const store = await sqliteCatalogueStore(':memory:', identity)
  const observed: string[] = []
  const done = signal()
  const observe = ({ kind }: CatalogueEvent) => {
    observed.push(kind)
    if (observed.filter((it) => it === 'stands').length === count) done.notify()
  }
  const began = performance.now()
  const loop = indexerLoop({
    context: { store, observe } as unknown as IndexerContext,
    pace: pollPace({ request: async () => undefined }),
    isShared: false,
    indexer: { ...indexer, head: () => 9, version: () => 0 },
    lookUp: async () => 0,
  })
  await done.wait()
  const took = performance.now() - began
  const { doubt } = await readCatalogueState(store.db)
  await loop.stop()
  await store.close()
  return { took, observed, doubt }
}

const contradict = async () => {
  throw contradictionAt(7, 'The node shows another block 7 than before.')
}

/** The least pauses between five readings that fail: 100, 200, 400 and 800 milliseconds. */
const leastPauses = 1490

test('readings that fail get rare, and what they leave in doubt is recorded', async () => {
  for (const step of [contradict, () => Promise.reject(new Error('no answer'))]) {
    const confirm = async () => false
    const { took, observed, doubt } = await readingsOf({ step, confirm }, 5)
    expect(took).toBeGreaterThan(leastPauses)
    expect(observed.filter((kind) => kind === 'doubted')).toEqual(['doubted'])
    expect(doubt).not.toBeNull()
  }
})

test('readings that succeed and are contradicted in turns get rare too', async () => {
  const { took } = await readingsOf({ step: async () => false, confirm: contradict }, 5)
  expect(took).toBeGreaterThan(leastPauses)
})

test('reports no error of a write that this process has no right to make any more', async () => {
  const inner = await sqliteCatalogueStore(':memory:', identity)
  const rights = [new AbortController(), new AbortController()]
  let [leads, isDown] = [0, true]
  const sought = signal()
  const store: CatalogueStore = {
    ...inner,
    isStoreError: () => true,
    // Another process has the right after the first time, and gives it back when the test says so.
    lead: async () => {
      leads += 1
      sought.notify()
      if (leads === 2) await other.promise
      return { lost: rights[leads - 1]?.signal as AbortSignal, release: async () => undefined }
    },
  }
  const other = Promise.withResolvers<void>()
  const failed = signal()
  const loop = indexerLoop({
    context: { store, observe: failed.notify } as unknown as IndexerContext,
    pace: pollPace({ request: async () => undefined }),
    isShared: true,
    indexer: {
      step: async () => {
        if (isDown) throw new Error('The database restarts.')
        return false
      },
      confirm: async () => false,
      head: () => 9,
      version: () => 0,
    },
    lookUp: async () => 0,
  })
  await sought.wait()
  await failed.wait()
  expect(loop.writeError()).toBeDefined()
  rights[0]?.abort()
  await sought.wait()
  expect(leads).toBe(2)
  expect(loop.writeError()).toBeUndefined()
  isDown = false
  other.resolve()
  await loop.stop()
  await inner.close()
})
