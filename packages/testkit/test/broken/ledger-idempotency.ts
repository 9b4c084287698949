import type { Idempotency, Ledger } from '@heirloom/core'
import { wrapWrites } from '../../src/fakes/idempotent-writes.ts'
import type { LedgerHarness } from '../../src/harness.ts'
import { type Broken, falseReceipt, faultyHarness } from './faulty-harness.ts'

/** A harness with broken ledgers for each law of idempotency. */
export const brokenIdempotency: readonly Broken<LedgerHarness>[] = [
  {
    law: 'returns the first result again for the same key and request',
    fault: 'returns a false receipt for a repeated write',
    open: faultyHarness(() => {
      const finished = new Set<string>()
      return (inner) =>
        wrapWrites(inner, async ({ idempotency, make }) => {
          const isRepeated = idempotency !== undefined && finished.has(idempotency.key)
          const result = await make(idempotency)
          if (idempotency !== undefined) finished.add(idempotency.key)
          return isRepeated ? { ...result, ...falseReceipt } : result
        })
    }),
  },
  {
    law: 'makes a write once when two requests with its key arrive at the same time',
    fault: 'ignores the key of a write in progress',
    open: faultyHarness(() => {
      const running = new Set<string>()
      return (inner) =>
        wrapWrites(inner, async ({ idempotency, make }) => {
          if (idempotency === undefined || running.has(idempotency.key)) return make()
          running.add(idempotency.key)
          return make(idempotency).finally(() => running.delete(idempotency.key))
        })
    }),
  },
  {
    law: 'refuses a key that is reused for another request with `idempotency/key-reused`',
    fault: 'ignores the fingerprint of a request',
    open: faultyHarness(() => (inner) => {
      const withoutFingerprint = (given: Idempotency) => ({ ...given, fingerprint: '' })
      const recall: Ledger['recall'] = (write, given) =>
        inner.recall(write, withoutFingerprint(given))
      const writes = wrapWrites(inner, ({ idempotency, make }) =>
        make(idempotency && withoutFingerprint(idempotency)),
      )
      return { ...writes, recall }
    }),
  },
  {
    law: 'releases the key of a write that failed without effect',
    fault: 'repeats a failure for ever for its key',
    open: faultyHarness(() => {
      const failures = new Map<string, unknown>()
      return (inner) =>
        wrapWrites(inner, async ({ write, idempotency, make }) => {
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
