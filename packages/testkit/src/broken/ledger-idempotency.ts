import type { Idempotency, Ledger } from '@heirloom/core'
import { around } from '../fakes/idempotent-writes.ts'
import type { LedgerWorld } from '../harness.ts'
import type { Broken } from './broken.ts'
import { falseReceipt, worldWith } from './faulty-harness.ts'

/** One world for each law of keys. */
export const brokenRememberers: readonly Broken<LedgerWorld>[] = [
  {
    law: 'gives the first result again for the same key and request',
    fault: 'makes up a receipt for what it made before',
    open: worldWith(() => {
      const made = new Set<string>()
      return (inner) =>
        around(inner, async ({ idempotency, make }) => {
          const isRepeated = idempotency !== undefined && made.has(idempotency.key)
          const result = await make(idempotency)
          if (idempotency !== undefined) made.add(idempotency.key)
          return isRepeated ? { ...result, ...falseReceipt } : result
        })
    }),
  },
  {
    law: 'does a write once when the same key comes twice at once',
    fault: 'looks for a key only after the write before it is made',
    open: worldWith(() => {
      const making = new Set<string>()
      return (inner) =>
        around(inner, async ({ idempotency, make }) => {
          if (idempotency === undefined || making.has(idempotency.key)) return make()
          making.add(idempotency.key)
          return make(idempotency).finally(() => making.delete(idempotency.key))
        })
    }),
  },
  {
    law: 'refuses a key that comes with another request with `idempotency/key-reused`',
    fault: 'does not look what a key comes with',
    open: worldWith(() => (inner) => {
      const alike = (given: Idempotency) => ({ ...given, fingerprint: '' })
      const recall: Ledger['recall'] = (write, given) => inner.recall(write, alike(given))
      const writes = around(inner, ({ idempotency, make }) =>
        make(idempotency && alike(idempotency)),
      )
      return { ...writes, recall }
    }),
  },
  {
    law: 'forgets the key of a write that failed without effect',
    fault: 'fails for ever under the key of a failure',
    open: worldWith(() => {
      const failures = new Map<string, unknown>()
      return (inner) =>
        around(inner, async ({ write, idempotency, make }) => {
          if (idempotency === undefined) return make()
          const request = JSON.stringify([write, idempotency])
          if (failures.has(request)) throw failures.get(request)
          return make(idempotency).catch((error: unknown) => {
            failures.set(request, error)
            throw error
          })
        })
    }),
  },
]
