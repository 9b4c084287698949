import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answeringTransport } from './answering-transport.ts'

type Message = { readonly jsonrpc: '2.0'; readonly id?: number; readonly method: string }

const request = (id: number, method = 'ping'): Message => ({ jsonrpc: '2.0', id, method })

/** Opens a transport over streams, and collects the requests that it receives. */
async function open() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const { transport, closed } = answeringTransport(input, output)
  const received: number[] = []
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) received.push(Number(message.id))
  }
  await transport.start()
  const write = (message: object) => input.write(`${JSON.stringify(message)}\n`)
  const answer = (id: number) => transport.send({ jsonrpc: '2.0', id, result: {} })
  return { input, output, transport, closed, received, write, answer }
}

test('closes after the last answer, whatever their order', async () => {
  const someIds = fc.uniqueArray(fc.nat({ max: 99 }), { minLength: 1, maxLength: 8 })
  const orders = someIds.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  )
  await fc.assert(
    fc.asyncProperty(orders, async ([ids, answered]) => {
      const { input, output, closed, received, write, answer } = await open()
      for (const id of ids) write(request(id))
      input.end()
      const sent = text(output)
      for (const id of answered) await answer(id)
      await closed
      output.end()
      expect(received).toEqual(ids)
      expect((await sent).match(/"id":\d+/g)).toEqual(answered.map((id) => `"id":${id}`))
    }),
  )
})

test('waits for no request that was cancelled, and for no subscription', async () => {
  const { input, closed, write } = await open()
  write(request(1))
  write(request(2, 'subscriptions/listen'))
  write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  input.end()
  await closed
})

test('closes after an input that fails without an end', async () => {
  const { input, closed, write, answer, received } = await open()
  write(request(1))
  await expect.poll(() => received).toEqual([1])
  input.destroy()
  await answer(1)
  await closed
})

test('closes when its client stops reading', async () => {
  const { output, closed, write } = await open()
  write(request(1))
  output.destroy(new Error('EPIPE'))
  await closed
})
