import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Answer, Job } from './test/test-worker-program.ts'
import { worker } from './worker.ts'

const program = new URL('./test/test-worker-program.ts', import.meta.url)
const open = () => worker<Job, Answer>(program)

function* pieces(count: number) {
  for (let length = 1; length <= count; length += 1) yield new Uint8Array(length)
}

test('streams all pieces to a job, in their order', async () => {
  const { ask } = open()
  for (const ahead of [1, 3, 60]) {
    const lengths = await ask({ kind: 'lengths' }, { pieces: pieces(50), ahead })
    expect(lengths).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
  }
  expect(await ask({ kind: 'lengths' })).toEqual([])
})

test('can be started before its first job', async () => {
  const { ask, start, ready } = open()
  start()
  expect(ready()).toBe(false)
  expect(await ask({ kind: 'lengths' })).toEqual([])
  expect(ready()).toBe(true)
})

test('is ended after the idle timeout, unless that is infinite', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  for (const [idleTimeout, staysReady] of [
    [undefined, false],
    [Number.POSITIVE_INFINITY, true],
  ] as const) {
    const { ask, ready } = worker<Job, Answer>(program, idleTimeout)
    await ask({ kind: 'lengths' })
    vi.advanceTimersByTime(59_999)
    expect(ready()).toBe(true)
    vi.advanceTimersByTime(1)
    expect(ready()).toBe(staysReady)
  }
})

test('copies pieces, and transfers moved buffers', async () => {
  const { ask } = open()
  const piece = Uint8Array.of(1, 2, 3)
  await ask({ kind: 'lengths' }, { pieces: [piece] })
  expect([...piece]).toEqual([1, 2, 3])
  const bytes = Uint8Array.of(4, 5)
  const echo = await ask({ kind: 'echo', bytes }, { moved: [bytes.buffer] })
  expect([bytes.length, echo]).toEqual([0, Uint8Array.of(4, 5)])
})

test('runs many jobs at once, each with its own result', async () => {
  const { ask } = open()
  const counts = Array.from({ length: 40 }, (_, count) => count)
  const answers = await Promise.all(
    counts.map((count) => ask({ kind: 'lengths' }, { pieces: pieces(count) })),
  )
  expect(answers.map((lengths) => lengths.length)).toEqual(counts)
})

test('preserves the code and the facts of a failure, and hides any other error', async () => {
  const { ask } = open()
  await expect(ask({ kind: 'refuse' })).rejects.toMatchObject({
    code: 'json/malformed',
    facts: { at: 7 },
  })
  await expect(ask({ kind: 'break' })).rejects.toMatchObject({
    code: 'service/unexpected',
    cause: expect.objectContaining({ message: 'too much' }),
  })
})

test('fails the jobs under way when it dies, and starts again for the next', async () => {
  const { ask } = open()
  const died = { code: 'service/unexpected', cause: expect.any(Error) }
  // The order in which they fail is not certain.
  const jobs = [
    ask({ kind: 'wait' }),
    ask({ kind: 'wait' }, { pieces: pieces(1) }),
    ask({ kind: 'die' }),
  ]
  await Promise.all(jobs.map((job) => expect(job).rejects.toMatchObject(died)))
  expect(await ask({ kind: 'lengths' }, { pieces: pieces(2) })).toEqual([1, 2])
})

test('fails its jobs when it cannot start', async () => {
  const { ask, ready } = worker<Job, Answer>(new URL('https://nowhere.test/'))
  await expect(ask({ kind: 'lengths' })).rejects.toMatchObject({ code: 'service/unexpected' })
  expect(ready()).toBe(false)
})

test('is ready after its first job, and not after its death', async () => {
  const { ask, ready } = open()
  expect(ready()).toBe(false)
  const first = ask({ kind: 'lengths' })
  expect(ready()).toBe(false)
  await first
  expect(ready()).toBe(true)
  await expect(ask({ kind: 'die' })).rejects.toThrow()
  expect(ready()).toBe(false)
})

test('keeps a process alive while it has a job, and no longer', () => {
  const script = fileURLToPath(new URL('./test/send-one-job.ts', import.meta.url))
  const { stdout, status } = spawnSync(process.execPath, [script], {
    encoding: 'utf8',
    timeout: 600_000,
  })
  expect([stdout, status]).toEqual(['9\n', 0])
})
