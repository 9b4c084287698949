import { inspect } from 'node:util'
import { type BlobStorage, digest, Failure, type OpenBlobStore } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { guardBlobStorage } from './guard-blob-storage.ts'

const name = digest(`0x${'11'.repeat(32)}`)
const secret = 'https://user:secret@store.example'

type Act = (store: OpenBlobStore) => Promise<unknown>
const acts: readonly (readonly [string, Act])[] = [
  ['put', (store) => store.put(new Uint8Array(1))],
  ['get', (store) => store.get(name)],
  ['head', (store) => store.head(name)],
  ['remove', (store) => store.remove(name)],
  ['local.get', (store) => store.local.get(name)],
  ['local.head', (store) => store.local.head(name)],
  ['claim', (store) => store.claim(name)],
  ['sweep', (store) => store.sweep(async () => false)],
  ['close', (store) => store.close()],
]

/** Opens a guarded store of which every method runs `fault`. */
function openWith(fault: () => never): Promise<OpenBlobStore> {
  const reads = { get: fault, head: fault }
  const rest = { put: fault, remove: fault, claim: fault, sweep: fault, close: fault }
  return guardBlobStorage({ open: async () => ({ ...reads, ...rest, local: reads }) }).open()
}

/** Returns the error of an act that must return a promise. */
async function errorOf(act: () => Promise<unknown>): Promise<Error> {
  const promise = act()
  return promise.then(
    () => new Error('no error'),
    (error: Error) => error,
  )
}

/** A failure with a message and facts of the module. */
const foreign = (code: string, facts: unknown) =>
  Object.assign(new Error(secret, { cause: new TypeError(secret) }), {
    name: 'Failure',
    code,
    facts,
    shortMessage: secret,
  })

describe.each([
  ['an error', new Error(secret, { cause: foreign('blob/unavailable', { operation: secret }) })],
  ['a text', secret],
  ['a failure of another port', foreign('token/not-found', { tokenId: secret })],
  ['a failure without facts', foreign('blob/not-found', undefined)],
  ['the failure of the port', foreign('blob/unavailable', { operation: secret })],
])('a store that throws %s', (_, thrown) => {
  test.each(acts)('rejects %s with `blob/unavailable` and no word of it', async (_name, act) => {
    const store = await openWith(() => {
      throw thrown
    })
    const error = await errorOf(() => act(store))
    expect(error).toMatchObject({ code: 'blob/unavailable' })
    expect(inspect(error, { depth: 9 })).not.toContain('secret')
  })
})

test.each(['blob/not-found', 'blob/corrupt'] as const)(
  'a read keeps %s, with our sentence and the digest of the call',
  async (code) => {
    const store = await openWith(() => {
      throw foreign(code, { digest: secret })
    })
    const { get, head, local } = store
    for (const read of [get, head, local.get, local.head]) {
      const error = await errorOf(() => read(name))
      expect(error).toBeInstanceOf(Failure)
      expect(error).toMatchObject({ code, facts: { digest: name } })
      expect(inspect(error, { depth: 9 })).not.toContain('secret')
    }
  },
)

test('a stretch is what was named, also of a store that returns whole blobs', async () => {
  const whole = { get: async () => Uint8Array.of(1, 2, 3, 4), head: async () => Uint8Array.of(1) }
  const rest = await openWith(() => {
    throw new RangeError(secret)
  })
  const storage = guardBlobStorage({ open: async () => ({ ...rest, ...whole, local: whole }) })
  const store = await storage.open()
  for (const get of [store.get, store.local.get]) {
    expect(await get(name, { offset: 1, length: 2 })).toEqual(Uint8Array.of(2, 3))
    expect(await get(name, { offset: 0, length: 4 })).toEqual(Uint8Array.of(1, 2, 3, 4))
    expect(await get(name)).toEqual(Uint8Array.of(1, 2, 3, 4))
  }
})

test('an opening and a verification that fail are `blob/unavailable`', async () => {
  const fail = () => {
    throw new Error(secret)
  }
  const storage: BlobStorage = guardBlobStorage({ open: fail, verify: fail })
  for (const act of [() => storage.open(), () => storage.verify?.(1) ?? Promise.resolve()]) {
    const error = await errorOf(act)
    expect(error).toMatchObject({ code: 'blob/unavailable' })
    expect(inspect(error, { depth: 9 })).not.toContain('secret')
  }
})

test('keeps where an error was thrown', async () => {
  const error = await errorOf(() =>
    guardBlobStorage({
      open: () => {
        throw new RangeError(secret)
      },
    }).open(),
  )
  expect(error.cause).toMatchObject({ name: 'RangeError' })
  expect((error.cause as Error).stack).toContain('guard-blob-storage.test.ts')
})
