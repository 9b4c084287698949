import type { CatalogueProgress } from '@heirloom/adapters/catalogue'
import { Failure } from '@heirloom/core'
import { expect, test } from 'vitest'
import { catalogueCheck } from './readiness.ts'

type State = Pick<CatalogueProgress, 'block' | 'head' | 'doubt'> & { isDown: boolean }

/** A catalogue whose indexer goes on when a test says so. */
function slowCatalogue() {
  const state: State = { block: 0n, head: 0n, isDown: false, doubt: undefined }
  const ends = new Set<() => void>()
  return {
    state,
    finish: () => {
      for (const end of ends) end()
    },
    progress: async () => ({ ...state, confirmed: state.block }),
    caughtUp: (signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        if (state.isDown) reject(new Failure('ledger/unavailable', { operation: 'eth_getLogs' }))
        ends.add(resolve)
        signal?.addEventListener('abort', () => resolve())
        if (signal?.aborted) resolve()
      }),
  }
}

const behind = { code: 'catalogue/unavailable', facts: { operation: 'index' } }

test('a server is ready once its new catalogue has the whole chain, and stays so', async () => {
  const catalogue = slowCatalogue()
  const check = catalogueCheck(catalogue, () => AbortSignal.abort())
  await expect(check()).rejects.toMatchObject(behind)
  Object.assign(catalogue.state, { block: 500n, head: 9000n })
  await expect(check()).rejects.toMatchObject(behind)
  Object.assign(catalogue.state, { block: 9000n })
  await check()
  // Where blocks come all the time, it never has the last one when it is asked.
  Object.assign(catalogue.state, { head: 9001n })
  await check()
})

test('a server that has caught up once is ready while it is behind', async () => {
  const catalogue = slowCatalogue()
  const check = catalogueCheck(catalogue, () => new AbortController().signal)
  const first = check()
  catalogue.finish()
  await first
  Object.assign(catalogue.state, { block: 9000n, head: 9001n })
  const second = catalogueCheck(catalogue, () => AbortSignal.abort())
  await expect(second()).rejects.toMatchObject(behind)
  await check()
})

test('while the node is down, a whole catalogue is ready and a new one is not', async () => {
  const catalogue = slowCatalogue()
  catalogue.state.isDown = true
  const check = catalogueCheck(catalogue)
  await expect(check()).rejects.toMatchObject(behind)
  Object.assign(catalogue.state, { block: 9000n, head: 9000n })
  await check()
})

test('a catalogue with a part in doubt is not ready, whatever it read before', async () => {
  const catalogue = slowCatalogue()
  Object.assign(catalogue.state, { block: 9000n, head: 9000n })
  const check = catalogueCheck(catalogue, () => AbortSignal.abort())
  await check()
  const doubt = { from: 8000, to: 8004, reason: 'The node left out an event.' }
  Object.assign(catalogue.state, { doubt })
  const problem = 'blocks 8000 to 8004 are in doubt. The node left out an event'
  await expect(check()).rejects.toMatchObject({ code: 'catalogue/behind', facts: { problem } })
  Object.assign(catalogue.state, { doubt: undefined })
  await check()
})
