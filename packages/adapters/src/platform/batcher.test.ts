import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { batcher, type RpcCall, type RpcResponse } from './batcher.ts'

const callsOf = (count: number): readonly RpcCall[] =>
  Array.from({ length: count }, (_, index) => ({ method: 'eth_call', params: [index] }))

const responseTo = ({ params }: RpcCall): RpcResponse => ({ result: params })

/** A node that responds to every call, and records the number of calls in each request. */
function node(
  batch: (calls: readonly RpcCall[]) => readonly (RpcResponse | undefined)[] | undefined,
) {
  const requests: number[] = []
  const send = batcher({
    single: async (call) => {
      requests.push(1)
      return responseTo(call)
    },
    batch: async (calls) => {
      requests.push(calls.length)
      return batch(calls)
    },
  })
  return { send, requests }
}

const respondToAll = (calls: readonly RpcCall[]) => calls.map(responseTo)

describe('calls of one turn', () => {
  test('share a request, a hundred at most', async () => {
    const { send, requests } = node(respondToAll)
    const calls = callsOf(250)
    expect(await Promise.all(calls.map(send))).toEqual(calls.map(responseTo))
    expect(requests).toEqual([100, 100, 50])
  })

  test('are sent apart from those of another turn', async () => {
    const { send, requests } = node(respondToAll)
    for (const call of callsOf(3)) await send(call)
    expect(requests).toEqual([1, 1, 1])
  })

  test('get their own responses, whichever the node leaves out', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 300 }), async (answered) => {
        const { send } = node((calls) =>
          calls.map((call, index) => (answered[index] ? responseTo(call) : undefined)),
        )
        const calls = callsOf(answered.length)
        expect(await Promise.all(calls.map(send))).toEqual(calls.map(responseTo))
      }),
    )
  })

  test('all fail when their request fails, and the next request is independent', async () => {
    let broken = true
    const { send } = node((calls) => {
      if (broken) throw new Error('gone')
      return respondToAll(calls)
    })
    const outcomes = await Promise.allSettled(callsOf(3).map(send))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    broken = false
    expect(await send({ method: 'eth_call', params: [7] })).toEqual({ result: [7] })
  })
})

test('a node that does not support batches gets single calls from then on', async () => {
  const { send, requests } = node(() => undefined)
  const calls = callsOf(3)
  expect(await Promise.all(calls.map(send))).toEqual(calls.map(responseTo))
  expect(await Promise.all(calls.map(send))).toEqual(calls.map(responseTo))
  expect(requests).toEqual([3, 1, 1, 1, 1, 1, 1])
})
