import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Worker, worker } from '../../platform/worker.ts'
import type { Input } from '../test/squaring-worker.ts'
import { workerOffload } from './worker-offload.ts'

type Remote = Pick<Worker<readonly Input[], readonly number[]>, 'ask' | 'ready'>

const program = new URL('../test/squaring-worker.ts', import.meta.url)
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const squares = (count: number) => numbers(count).map((it) => it ** 2)

/** Starts a worker that records the number of inputs in each message. */
async function startRemote(): Promise<Remote & { readonly batchSizes: number[] }> {
  const { ask, ready } = worker<readonly Input[], readonly number[]>(program)
  await ask([])
  const batchSizes: number[] = []
  return {
    batchSizes,
    ready,
    ask: (inputs) => {
      batchSizes.push(inputs.length)
      return ask(inputs)
    },
  }
}

/** Returns a local computation and the inputs it has received. */
function recordingLocal() {
  const inputs: Input[] = []
  const local = async (input: Input) => {
    inputs.push(input)
    return input === 'die' ? -1 : input ** 2
  }
  return { inputs, local }
}

describe('inputs', () => {
  test('that arrive one by one are computed here', async () => {
    const [remote, { local, inputs }] = [await startRemote(), recordingLocal()]
    const compute = workerOffload({ local, remote })
    for (const it of numbers(5)) expect(await compute(it)).toBe(it ** 2)
    expect([remote.batchSizes, inputs]).toEqual([[], numbers(5)])
  })

  test('that arrive together are sent in one message', async () => {
    const [remote, { local, inputs }] = [await startRemote(), recordingLocal()]
    const compute = workerOffload({ local, remote })
    expect(await Promise.all(numbers(12).map(compute))).toEqual(squares(12))
    expect([remote.batchSizes, inputs]).toEqual([[12], []])
  })

  test('that exceed the batch size are shared by both threads', async () => {
    const [remote, { local, inputs }] = [await startRemote(), recordingLocal()]
    const compute = workerOffload({ local, remote })
    expect(await Promise.all(numbers(20).map(compute))).toEqual(squares(20))
    expect([remote.batchSizes[0], inputs[0]]).toEqual([16, 16])
  })

  test('never pile up at the worker', async () => {
    const [remote, { local, inputs }] = [await startRemote(), recordingLocal()]
    const compute = workerOffload({ local, remote })
    expect(await Promise.all(numbers(100).map(compute))).toEqual(squares(100))
    expect(Math.max(...remote.batchSizes)).toBeLessThanOrEqual(16)
    expect(remote.batchSizes.reduce((sum, it) => sum + it) + inputs.length).toBe(100)
  })

  test('do not wait for the worker to start', async () => {
    const { ask, ready } = worker<readonly Input[], readonly number[]>(program)
    const batchSizes: number[] = []
    const remote: Remote = {
      ready,
      ask: (all) => {
        batchSizes.push(all.length)
        return ask(all)
      },
    }
    const { local, inputs } = recordingLocal()
    const compute = workerOffload({ local, remote })
    expect(await Promise.all(numbers(12).map(compute))).toEqual(squares(12))
    expect([batchSizes, inputs]).toEqual([[0], numbers(12)])
  })

  test('that fail here reject their callers', async () => {
    const remote = await startRemote()
    const compute = workerOffload<Input, number>({
      remote,
      local: () => Promise.reject(new RangeError('too much')),
    })
    await expect(compute(1)).rejects.toThrow('too much')
  })
})

test('a worker that cannot start is not needed', async () => {
  const remote: Remote = worker(new URL('https://nowhere.test/'))
  const compute = workerOffload({ local: recordingLocal().local, remote })
  expect(await Promise.all(numbers(40).map(compute))).toEqual(squares(40))
})

describe('a worker that dies', () => {
  test('leaves its inputs to this thread', async () => {
    const [remote, { local, inputs }] = [await startRemote(), recordingLocal()]
    const compute = workerOffload({ local, remote })
    const all: readonly Input[] = [1, 2, 'die', 3]
    expect(await Promise.all(all.map(compute))).toEqual([1, 4, -1, 9])
    // The empty message starts the next worker.
    expect([remote.batchSizes, inputs.toSorted()]).toEqual([[4, 0], all.toSorted()])
  })

  test('is restarted at most once a minute', async () => {
    let now = 0
    const starts: number[] = []
    const remote: Remote = {
      ready: () => false,
      ask: async () => {
        starts.push(now)
        throw new Error('The worker ended.')
      },
    }
    const compute = workerOffload({ local: recordingLocal().local, remote, now: () => now })
    for (now of [0, 1, 59_999, 60_000, 60_001, 120_000]) {
      expect(await Promise.all(numbers(3).map(compute))).toEqual(squares(3))
    }
    expect(starts).toEqual([0, 60_000, 120_000])
  })

  test('never loses or swaps a result', async () => {
    const input = fc.oneof(
      { weight: 30, arbitrary: fc.integer({ min: -1000, max: 1000 }) },
      { weight: 1, arbitrary: fc.constant('die' as const) },
    )
    const turns = fc.array(fc.array(input, { maxLength: 40 }), { maxLength: 8 })
    let messages = 0
    await fc.assert(
      fc.asyncProperty(turns, async (turns) => {
        const [remote, { local }] = [await startRemote(), recordingLocal()]
        const compute = workerOffload({ local, remote })
        const results: Promise<readonly number[]>[] = []
        for (const inputs of turns) {
          results.push(Promise.all(inputs.map(compute)))
          await setImmediate()
        }
        const expected = turns.map((all) => all.map((it) => (it === 'die' ? -1 : it ** 2)))
        expect(await Promise.all(results)).toEqual(expected)
        messages += remote.batchSizes.length
      }),
      { numRuns: 15 },
    )
    expect(messages).toBeGreaterThan(15)
  })
})
