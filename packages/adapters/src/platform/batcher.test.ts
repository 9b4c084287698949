import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RpcResponse, type RpcCall, batcher } from './batcher.ts'

const calls = (count: number): readonly RpcCall[] =>
  Array.from({ length: count }, (_, place) => ({ method: 'eth_call', params: [place] }))

const answerTo = ({ params }: RpcCall): RpcResponse => ({ result: params })

/** A node that answers every question, and tells how many came in each exchange. */
function node(batch: (calls: readonly RpcCall[]) => readonly (RpcResponse | undefined)[] | undefined) {
  const exchanges: number[] = []
  const ask = batcher({
    alone: async (call) => {
      exchanges.push(1)
      return answerTo(call)
    },
    batch: async (all) => {
      exchanges.push(all.length)
      return batch(all)
    },
  })
  return { ask, exchanges }
}

const all = (asked: readonly RpcCall[]) => asked.map(answerTo)

describe('questions of one turn', () => {
  test('share an exchange, a hundred at most', async () => {
    const { ask, exchanges } = node(all)
    const asked = calls(250)
    expect(await Promise.all(asked.map(ask))).toEqual(asked.map(answerTo))
    expect(exchanges).toEqual([100, 100, 50])
  })

  test('are asked apart from those of another turn', async () => {
    const { ask, exchanges } = node(all)
    for (const call of calls(3)) await ask(call)
    expect(exchanges).toEqual([1, 1, 1])
  })

  test('get their own answers, whatever the node leaves out', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 300 }), async (answered) => {
        const { ask } = node((asked) =>
          asked.map((call, place) => (answered[place] ? answerTo(call) : undefined)),
        )
        const asked = calls(answered.length)
        expect(await Promise.all(asked.map(ask))).toEqual(asked.map(answerTo))
      }),
    )
  })

  test('fail batcher when nothing comes back, and not with the next', async () => {
    let broken = true
    const { ask } = node((asked) => {
      if (broken) throw new Error('gone')
      return all(asked)
    })
    const outcomes = await Promise.allSettled(calls(3).map(ask))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    broken = false
    expect(await ask({ method: 'eth_call', params: [7] })).toEqual({ result: [7] })
  })
})

test('a node that takes no lists is asked one by one from then on', async () => {
  const { ask, exchanges } = node(() => undefined)
  const asked = calls(3)
  expect(await Promise.all(asked.map(ask))).toEqual(asked.map(answerTo))
  expect(await Promise.all(asked.map(ask))).toEqual(asked.map(answerTo))
  expect(exchanges).toEqual([3, 1, 1, 1, 1, 1, 1])
})
