import { expect, onTestFinished, test, vi } from 'vitest'
import { signal } from '../../platform/signal.ts'
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
    indexer: {
      step: async () => {
        steps += 1
        if (steps === 1) await lookup.wait()
        else indexed.notify()
        return steps === 1
      },
      confirm: async () => false,
      head: () => 0,
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
