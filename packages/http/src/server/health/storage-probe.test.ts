import { type BlobStore, type Digest, Failure } from '@heirloom/core'
import { memoryBlobStore } from '@heirloom/testkit'
import { expect, test } from 'vitest'
import { storageProbe } from './readiness.ts'

const down = () => Promise.reject(new Failure('blob/unavailable', { operation: 'read a blob' }))

/** Checks a store three times; returns the names that it was given, and those that are left. */
async function probeThrice(faults: Partial<BlobStore>) {
  const inner = memoryBlobStore()
  const put: Digest[] = []
  const store: BlobStore = {
    ...inner,
    put: async (bytes) => {
      const name = await inner.put(bytes)
      put.push(name)
      return name
    },
    ...faults,
  }
  const check = storageProbe(store)
  const outcomes: string[] = []
  for (let time = 0; time < 3; time++) {
    outcomes.push(
      await check().then(
        () => 'up',
        (error: Failure) => error.code,
      ),
    )
  }
  const names = [...new Set(put)]
  const found = await Promise.allSettled(names.map((name) => inner.get(name)))
  return { outcomes, names, left: found.filter(({ status }) => status === 'fulfilled').length }
}

test('leaves nothing in a store that works', async () => {
  expect(await probeThrice({})).toMatchObject({ outcomes: ['up', 'up', 'up'], left: 0 })
})

test('leaves nothing in a store that cannot read', async () => {
  const outcomes = Array(3).fill('blob/unavailable')
  expect(await probeThrice({ get: down })).toMatchObject({ outcomes, left: 0 })
})

test('leaves one probe in a store that cannot remove, however often it checks', async () => {
  const { outcomes, names, left } = await probeThrice({ remove: down })
  expect([outcomes, names.length, left]).toEqual([Array(3).fill('blob/unavailable'), 1, 1])
})

test('is another one in each process, for servers may share a store', async () => {
  const [one, other] = [await probeThrice({}), await probeThrice({})]
  expect(one.names).not.toEqual(other.names)
})
