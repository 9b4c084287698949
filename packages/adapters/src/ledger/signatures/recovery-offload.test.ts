import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Worker, worker } from '../../platform/worker.ts'
import type { Question } from '../test/squaring-worker.ts'
import { shared } from './recovery-offload.ts'

type Beside = Pick<Worker<readonly Question[], readonly number[]>, 'ask' | 'ready'>

const program = new URL('../test/squaring-worker.ts', import.meta.url)
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
const squares = (count: number) => numbers(count).map((it) => it ** 2)

/** A worker that is up, and how many questions each of its messages had. */
async function counted(): Promise<Beside & { readonly messages: number[] }> {
  const { ask, ready } = worker<readonly Question[], readonly number[]>(program)
  await ask([])
  const messages: number[] = []
  return {
    messages,
    ready,
    ask: (all) => {
      messages.push(all.length)
      return ask(all)
    },
  }
}

/** What answers here, and what it was asked. */
function counting() {
  const asked: Question[] = []
  const here = async (question: Question) => {
    asked.push(question)
    return question === 'die' ? -1 : question ** 2
  }
  return { asked, here }
}

describe('questions', () => {
  test('that come one by one are answered here', async () => {
    const [beside, { here, asked }] = [await counted(), counting()]
    const ask = shared({ here, beside })
    for (const it of numbers(5)) expect(await ask(it)).toBe(it ** 2)
    expect([beside.messages, asked]).toEqual([[], numbers(5)])
  })

  test('that come together are answered in one message', async () => {
    const [beside, { here, asked }] = [await counted(), counting()]
    const ask = shared({ here, beside })
    expect(await Promise.all(numbers(12).map(ask))).toEqual(squares(12))
    expect([beside.messages, asked]).toEqual([[12], []])
  })

  test('that are more than the worker takes are answered by both', async () => {
    const [beside, { here, asked }] = [await counted(), counting()]
    const ask = shared({ here, beside })
    expect(await Promise.all(numbers(20).map(ask))).toEqual(squares(20))
    expect([beside.messages[0], asked[0]]).toEqual([16, 16])
  })

  test('never pile up at the worker', async () => {
    const [beside, { here, asked }] = [await counted(), counting()]
    const ask = shared({ here, beside })
    expect(await Promise.all(numbers(100).map(ask))).toEqual(squares(100))
    expect(Math.max(...beside.messages)).toBeLessThanOrEqual(16)
    expect(beside.messages.reduce((sum, it) => sum + it) + asked.length).toBe(100)
  })

  test('do not wait for a worker to start', async () => {
    const { ask: askThread, ready } = worker<readonly Question[], readonly number[]>(program)
    const starts: number[] = []
    const beside: Beside = {
      ready,
      ask: (all) => {
        starts.push(all.length)
        return askThread(all)
      },
    }
    const { here, asked } = counting()
    const ask = shared({ here, beside })
    expect(await Promise.all(numbers(12).map(ask))).toEqual(squares(12))
    expect([starts, asked]).toEqual([[0], numbers(12)])
  })

  test('that fail here fail', async () => {
    const beside = await counted()
    const ask = shared<Question, number>({
      beside,
      here: () => Promise.reject(new RangeError('too much')),
    })
    await expect(ask(1)).rejects.toThrow('too much')
  })
})

test('a worker that cannot start is done without', async () => {
  const beside: Beside = worker(new URL('https://nowhere.test/'))
  const ask = shared({ here: counting().here, beside })
  expect(await Promise.all(numbers(40).map(ask))).toEqual(squares(40))
})

describe('a worker that dies', () => {
  test('leaves what it had to this one', async () => {
    const [beside, { here, asked }] = [await counted(), counting()]
    const ask = shared({ here, beside })
    const all: readonly Question[] = [1, 2, 'die', 3]
    expect(await Promise.all(all.map(ask))).toEqual([1, 4, -1, 9])
    // The empty message starts another.
    expect([beside.messages, asked.toSorted()]).toEqual([[4, 0], all.toSorted()])
  })

  test('is started again, but not twice a minute', async () => {
    let now = 0
    const starts: number[] = []
    const beside: Beside = {
      ready: () => false,
      ask: async () => {
        starts.push(now)
        throw new Error('The worker ended.')
      },
    }
    const ask = shared({ here: counting().here, beside, now: () => now })
    for (now of [0, 1, 59_999, 60_000, 60_001, 120_000]) {
      expect(await Promise.all(numbers(3).map(ask))).toEqual(squares(3))
    }
    expect(starts).toEqual([0, 60_000, 120_000])
  })

  test('neither loses nor swaps an answer, whenever it does', async () => {
    const question = fc.oneof(
      { weight: 30, arbitrary: fc.integer({ min: -1000, max: 1000 }) },
      { weight: 1, arbitrary: fc.constant('die' as const) },
    )
    const turns = fc.array(fc.array(question, { maxLength: 40 }), { maxLength: 8 })
    let handed = 0
    await fc.assert(
      fc.asyncProperty(turns, async (turns) => {
        const [beside, { here }] = [await counted(), counting()]
        const ask = shared({ here, beside })
        const answers: Promise<readonly number[]>[] = []
        for (const questions of turns) {
          answers.push(Promise.all(questions.map(ask)))
          await setImmediate()
        }
        const wanted = turns.map((all) => all.map((it) => (it === 'die' ? -1 : it ** 2)))
        expect(await Promise.all(answers)).toEqual(wanted)
        handed += beside.messages.length
      }),
      { numRuns: 15 },
    )
    expect(handed).toBeGreaterThan(15)
  })
})
