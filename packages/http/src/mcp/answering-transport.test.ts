import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
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
  const { output, transport, closed, write } = await open()
  const reported: Error[] = []
  transport.onerror = (error) => reported.push(error)
  write(request(1))
  output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  await closed
  expect(reported).toEqual([])
})

test('answers a message beyond 10 MiB and a line that is no JSON, and goes on', async () => {
  const { input, output, closed, received, write, answer } = await open()
  const sent = text(output)
  write(request(1))
  write({ method: 'ping', params: { text: 'x'.repeat(10 * 2 ** 20) }, jsonrpc: '2.0', id: 2 })
  input.write('{"jsonrpc":"2.0",\n')
  write(request(3))
  input.end(JSON.stringify(request(4)))
  await expect.poll(() => received).toEqual([1, 3, 4])
  for (const id of received) await answer(id)
  await closed
  output.end()
  const answers = (await sent)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
    [2, -32600],
    [null, -32700],
    [1, undefined],
    [3, undefined],
    [4, undefined],
  ])
})

test('waits for the answer to a request whose id a refused line has, too', async () => {
  const { input, output, closed, received, write, answer } = await open()
  const sent = text(output)
  write(request(5))
  input.end('{"id":5}')
  await expect.poll(() => received).toEqual([5])
  const isClosed = closed.then(() => true)
  await expect.poll(() => input.readableEnded).toBe(true)
  expect(await Promise.race([isClosed, setImmediate(false)])).toBe(false)
  await answer(5)
  await closed
  output.end()
  expect((await sent).match(/"(error|result)"/g)).toEqual(['"error"', '"result"'])
})

test('reads no further while 4 MiB of answers are unread', async () => {
  const { input, output, transport, closed, received, write, answer } = await open()
  write(request(1))
  await expect.poll(() => received).toEqual([1])
  const result = { text: 'x'.repeat(4 * 2 ** 20) }
  const answered = transport.send({ jsonrpc: '2.0', id: 1, result })
  write(request(2))
  await expect.poll(() => input.readableLength).toBeGreaterThan(0)
  expect(received).toEqual([1])
  input.end()
  output.resume()
  await answered
  await expect.poll(() => received).toEqual([1, 2])
  await answer(2)
  await closed
})

test('reads no further while 256 requests are open', async () => {
  const { input, output, closed, received, write, answer } = await open()
  output.resume()
  for (let id = 0; id < 256; id += 1) write(request(id))
  await expect.poll(() => received.length).toBe(256)
  write(request(256))
  await expect.poll(() => input.readableLength).toBeGreaterThan(0)
  input.end()
  await answer(0)
  await expect.poll(() => received.length).toBe(257)
  for (const id of received.slice(1)) await answer(id)
  await closed
})
