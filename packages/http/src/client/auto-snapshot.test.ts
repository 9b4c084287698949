import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../../../../test/tier.ts'
import { openClientHarness } from '../../test/client-harness.ts'
import { interceptingProxy } from '../../test/intercepting-proxy.ts'
import { memory, other } from '../../test/server-harness.ts'
import type { AutoSnapshotOptions } from './auto-snapshot.ts'
import type { Minted } from './responses.ts'

const bundle = (mood: number) => ({ ...memory, data: { mood } })

/** Creates timers that a test advances by hand. */
function manualTimers() {
  const due: (() => void)[] = []
  return {
    now: () => 0,
    random: () => 0,
    waiting: () => due.length,
    tick: async () => {
      due.shift()?.()
      // The next wait starts when the snapshot is done.
      while (due.length === 0) await setImmediate()
    },
    wait: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        due.push(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  }
}

/** Starts automatic snapshots on manual timers, and records their callbacks. */
async function start(options: Partial<AutoSnapshotOptions> = {}, retries = 0) {
  const timers = manualTimers()
  const world = await openClientHarness()
  const network = await interceptingProxy(world.url)
  const client = world.clientAt({ url: network.url, timers, retries })
  const [snapshots, errors]: [Minted[], unknown[]] = [[], []]
  const onSnapshot = (it: Minted) => snapshots.push(it)
  const onError = (it: unknown) => errors.push(it)
  const auto = client.autoSnapshot({
    every: 1000,
    build: () => bundle(0),
    onSnapshot,
    onError,
    ...options,
  })
  const close = async () => {
    await auto.stop()
    await network[Symbol.asyncDispose]()
  }
  return {
    ...world,
    network,
    timers,
    client: world.client,
    auto,
    snapshots,
    errors,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const parentsOf = async ({ client, snapshots }: Awaited<ReturnType<typeof start>>) =>
  Promise.all(snapshots.map(async ({ tokenId }) => (await client.info(tokenId)).parent))

test('each change is snapshot once, with the previous snapshot as parent', async () => {
  const moods = fc.array(fc.nat(2), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(moods, fc.boolean(), async (sequence, byClock) => {
      let now = 0
      await using it = await start({ build: () => bundle(now) })
      for (const mood of sequence) {
        now = mood
        if (byClock) await it.timers.tick()
        else await it.auto.now()
      }
      const changes = sequence.filter((mood, at) => mood !== sequence[at - 1])
      const ids = it.snapshots.map(({ tokenId }) => tokenId)
      expect(ids).toHaveLength(changes.length)
      expect(await parentsOf(it)).toEqual(['0', ...ids.slice(0, -1)])
      const opened = await Promise.all(ids.map((id) => it.client.download(id)))
      expect(opened.map(({ data }) => data)).toEqual(changes.map((mood) => ({ mood })))
      expect(it.errors).toEqual([])
    }),
    { numRuns: times(5, 20) },
  )
})

test('the first snapshot may have a parent and another owner', async () => {
  await using it = await start({ parentTokenId: 1, recipient: other.address })
  await it.client.snapshot(memory)
  const minted = await it.auto.now()
  expect((await it.client.info(minted?.tokenId ?? '')).parent).toBe('1')
  expect((await it.client.memories({ owner: other.address })).items).toHaveLength(1)
})

test('reports errors, and continues', async () => {
  let builds = 0
  await using it = await start({
    build: () => {
      builds += 1
      if (builds === 1) throw new Error('not yet')
      return bundle(builds)
    },
  })
  await it.timers.tick()
  it.network.intercept(async () => ({ status: 500, headers: {}, body: '' }))
  await it.timers.tick()
  it.network.intercept((_, forward) => forward())
  await it.timers.tick()
  expect(it.errors).toMatchObject([{ message: 'not yet' }, { code: 'client/bad-answer' }])
  expect(it.snapshots).toHaveLength(1)
})

test('a snapshot whose response was lost is not minted twice', async () => {
  await using it = await start()
  it.network.intercept(async (_, forward) => {
    await forward()
    return undefined
  })
  await it.timers.tick()
  expect(it.errors).toMatchObject([{ code: 'client/unreachable' }])
  it.network.intercept((_, forward) => forward())
  await it.timers.tick()
  await it.timers.tick()
  expect(it.snapshots).toMatchObject([{ tokenId: '1' }])
  expect((await it.state()).tokens).toHaveLength(1)
})

test('a snapshot that was not minted is repeated under another key', async () => {
  await using it = await start()
  const headers = { 'content-type': 'application/problem+json' }
  const problem = { code: 'transaction/cancelled', facts: {}, detail: 'No.', retryable: true }
  it.network.intercept(async () => ({ status: 503, headers, body: JSON.stringify(problem) }))
  await it.timers.tick()
  it.network.intercept((_, forward) => forward())
  await it.timers.tick()
  expect(it.snapshots).toHaveLength(1)
  const writes = it.network.requests.filter(({ method }) => method === 'POST')
  expect(new Set(writes.map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
})

test('concurrent calls take snapshots one after the other', async () => {
  let [mood, underWay, most] = [0, 0, 0]
  await using it = await start({
    build: async () => {
      underWay += 1
      most = Math.max(most, underWay)
      mood += 1
      return bundle(mood)
    },
    onSnapshot: () => {
      underWay -= 1
    },
  })
  const all = [it.auto.now(), it.timers.tick(), it.auto.now(), it.auto.now()]
  await Promise.all(all)
  expect([most, mood]).toEqual([1, 4])
  expect((await it.state()).tokens).toHaveLength(4)
})

test('the failure of `now` goes to its caller only', async () => {
  await using it = await start({ build: () => Promise.reject(new Error('no')) })
  await expect(it.auto.now()).rejects.toThrow('no')
  expect(it.errors).toEqual([])
})

test('stop waits for the snapshot in progress, and starts no other', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await using it = await start()
  it.network.intercept(async (_, forward) => {
    await promise
    return forward()
  })
  const made = it.auto.now()
  const stopped = it.auto.stop().then(() => it.snapshots.length)
  resolve()
  expect(await stopped).toBe(1)
  expect(await made).toEqual(it.snapshots[0])
  expect(it.snapshots).toHaveLength(1)
})

test('what is no error is reported as one, with its cause', async () => {
  const messages: string[] = []
  await using it = await start({
    build: () => {
      throw 'out of notes'
    },
    onError: (error) => messages.push(`${error.message} ${error.cause}`),
  })
  await it.timers.tick()
  await expect.poll(() => messages).toEqual(['out of notes out of notes'])
})
