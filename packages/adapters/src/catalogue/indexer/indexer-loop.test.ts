import { expect, onTestFinished, test, vi } from 'vitest'
import { signal } from '../../platform/signal.ts'
import type { CatalogueStore } from '../catalogue-store.ts'
import { sqliteCatalogueStore } from '../sqlite-catalogue-store.ts'
import type { IndexerContext } from './indexer.ts'
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
    step: async () => {
      steps += 1
      if (steps === 1) await lookup.wait()
      else indexed.notify()
      return steps === 1
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
    step: async () => {
      if (isDown) throw new Error('The database restarts.')
      return false
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
