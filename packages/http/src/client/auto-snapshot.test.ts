import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openClientHarness } from '../../test/client-harness.ts'
import { interceptingProxy } from '../../test/intercepting-proxy.ts'
import { memory, other } from '../../test/server-harness.ts'
import type { AutoSnapshotOptions } from './auto-snapshot.ts'
import type { Minted } from './responses.ts'

const bundle = (mood: number) => ({ ...memory, data: { mood } })

/** A clock whose waiting ends when a test says so. */
function manualTimers() {
  const due: (() => void)[] = []
  return {
    now: () => 0,
    random: () => 0,
    waiting: () => due.length,
    tick: async () => {
      due.shift()?.()
      // What is due next waits again only when the work is done.
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

/** Snapshots by a clock in a test's hand, and what it told. */
async function running(options: Partial<AutoSnapshotOptions> = {}, retries = 0) {
  const timers = manualTimers()
  const world = await openClientHarness()
  const network = await interceptingProxy(world.url)
  const client = world.clientAt({ url: network.url, timers, retries })
  const [snapshots, errors]: [Minted[], unknown[]] = [[], []]
  const onSnapshot = (it: Minted) => snapshots.push(it)
  const onError = (it: unknown) => errors.push(it)
  const auto = client.autoSnapshot({
    ...{ every: 1000, build: () => bundle(0), onSnapshot, onError },
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

const parentsOf = async ({ client, snapshots }: Awaited<ReturnType<typeof running>>) =>
  Promise.all(snapshots.map(async ({ tokenId }) => (await client.info(tokenId)).parent))

test('whatever an agent remembers, what is new is snapshot once, each from the one before', async () => {
  const moods = fc.array(fc.nat(2), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(moods, fc.boolean(), async (told, byClock) => {
      let now = 0
      await using it = await running({ build: () => bundle(now) })
      for (const mood of told) {
        now = mood
        if (byClock) await it.timers.tick()
        else await it.auto.now()
      }
      const changes = told.filter((mood, at) => mood !== told[at - 1])
      const ids = it.snapshots.map(({ tokenId }) => tokenId)
      expect(ids).toHaveLength(changes.length)
      expect(await parentsOf(it)).toEqual(['0', ...ids.slice(0, -1)])
      const opened = await Promise.all(ids.map((id) => it.client.download(id)))
      expect(opened.map(({ data }) => data)).toEqual(changes.map((mood) => ({ mood })))
      expect(it.errors).toEqual([])
    }),
    { numRuns: 20 },
  )
})

test('the first one may have a parent, and another owner', async () => {
  await using it = await running({ parentTokenId: 1, recipient: other.address })
  await it.client.snapshot(memory)
  const minted = await it.auto.now()
  expect((await it.client.info(minted?.tokenId ?? '')).parent).toBe('1')
  expect((await it.client.memories({ owner: other.address })).items).toHaveLength(1)
})

test('tells what went wrong, and goes on', async () => {
  let builds = 0
  await using it = await running({
    build: () => {
      builds += 1
      if (builds === 1) throw new Error('not yet')
      return bundle(builds)
    },
  })
  await it.timers.tick()
  it.network.meddle(async () => ({ status: 500, headers: {}, body: '' }))
  await it.timers.tick()
  it.network.meddle((_, forward) => forward())
  await it.timers.tick()
  expect(it.errors).toMatchObject([{ message: 'not yet' }, { code: 'client/bad-answer' }])
  expect(it.snapshots).toHaveLength(1)
})

test('what was made though its answer was lost is not made again', async () => {
  await using it = await running()
  it.network.meddle(async (_, forward) => {
    await forward()
    return undefined
  })
  await it.timers.tick()
  expect(it.errors).toMatchObject([{ code: 'client/unreachable' }])
  it.network.meddle((_, forward) => forward())
  await it.timers.tick()
  await it.timers.tick()
  expect(it.snapshots).toMatchObject([{ tokenId: '1' }])
  expect((await it.state()).tokens).toHaveLength(1)
})

test('what is known not to be made is asked for under another key', async () => {
  await using it = await running()
  const headers = { 'content-type': 'application/problem+json' }
  const problem = { code: 'transaction/cancelled', facts: {}, detail: 'No.', retryable: true }
  it.network.meddle(async () => ({ status: 503, headers, body: JSON.stringify(problem) }))
  await it.timers.tick()
  it.network.meddle((_, forward) => forward())
  await it.timers.tick()
  expect(it.snapshots).toHaveLength(1)
  expect(new Set(it.network.asked.map((asked) => asked.headers['idempotency-key'])).size).toBe(2)
})

test('makes one after the other, however many are asked for at once', async () => {
  let [mood, underWay, most] = [0, 0, 0]
  await using it = await running({
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

test('one that was asked for tells its failure to who asked', async () => {
  await using it = await running({ build: () => Promise.reject(new Error('no')) })
  await expect(it.auto.now()).rejects.toThrow('no')
  expect(it.errors).toEqual([])
})

test('stopping waits for what is under way, and nothing comes after it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await using it = await running()
  it.network.meddle(async (_, forward) => {
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
