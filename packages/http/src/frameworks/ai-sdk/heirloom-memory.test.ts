import { generateText, isStepCount, streamText, tool, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { frameworkServer } from '../../../test/framework-server.ts'
import { freshOf, heirloomMemory, lastMessages, type MemoryOptions } from './heirloom-memory.ts'
import type { Message } from './messages.ts'

const server = frameworkServer()
let names = 0
const newName = () => {
  names += 1
  return `chat-${names}`
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}
const finishReason = { unified: 'stop', raw: 'stop' } as const
const tokensLeft = { usage, finishReason, warnings: [] }

/** A model that answers with the number of messages it gets. */
const counting = () =>
  new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => ({
      ...tokensLeft,
      content: [{ type: 'text', text: `seen ${prompt.length}` }],
    }),
    doStream: async ({ prompt }) => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'stream-start', warnings: [] },
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-delta', id: 'r', delta: 'hm' },
          { type: 'reasoning-end', id: 'r', providerMetadata: { mock: { signature: 's' } } },
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'seen ' },
          { type: 'text-delta', id: '1', delta: `${prompt.length}` },
          { type: 'text-end', id: '1' },
          { type: 'finish', usage, finishReason },
        ],
      }),
    }),
  })

const saving = (name: string, model = counting(), options: Partial<MemoryOptions> = {}) =>
  wrapLanguageModel({
    model,
    middleware: heirloomMemory({ client: server.client(), name, ...options }),
  })

const messagesOf = async (name: string) =>
  ((await server.client().memory<{ messages: Message[] }>(name).latest())?.data.messages ?? []).map(
    ({ role, content }) => [role, ...[...content].map(textIn)],
  )

const textIn = (part: string | Message['content'][number]) => {
  if (typeof part === 'string') return part
  return 'text' in part ? part.text : part.type
}

test('a conversation goes on in another process', async () => {
  const name = newName()
  const ask = async (prompt: string) =>
    (await generateText({ model: saving(name), prompt, system: 'Be brief.' })).text
  expect([await ask('one'), await ask('one'), await ask('two')]).toEqual(
    // The instructions are a message too, and are not remembered.
    ['seen 2', 'seen 4', 'seen 6'],
  )
  expect(await messagesOf(name)).toEqual([
    ['user', 'one'],
    ['assistant', 'seen 2'],
    ['user', 'one'],
    ['assistant', 'seen 4'],
    ['user', 'two'],
    ['assistant', 'seen 6'],
  ])
})

test('a stream ends once its answer is remembered', async () => {
  const name = newName()
  const { textStream } = streamText({ model: saving(name), prompt: 'one' })
  let text = ''
  for await (const part of textStream) text += part
  expect(text).toBe('seen 1')
  expect(await messagesOf(name)).toEqual([
    ['user', 'one'],
    ['assistant', 'hm', 'seen 1'],
  ])
  const last = (await server.client().memory<{ messages: Message[] }>(name).latest())?.data
  expect(last?.messages[1]?.content[0]).toEqual({
    type: 'reasoning',
    text: 'hm',
    providerOptions: { mock: { signature: 's' } },
  })
})

test('a stream with an error is not remembered', async () => {
  const name = newName()
  const model = new MockLanguageModelV4({
    doStream: {
      stream: simulateReadableStream({
        chunks: [
          { type: 'error', error: new Error('The model failed.') },
          { type: 'finish', usage, finishReason },
        ],
      }),
    },
  })
  const stream = streamText({
    model: saving(name, model),
    prompt: 'one',
    onError: () => undefined,
  })
  await stream.consumeStream()
  expect(await messagesOf(name)).toEqual([])
})

test('the calls of tools are remembered once, and the next prompt has them', async () => {
  const name = newName()
  let calls = 0
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      calls += 1
      const input = JSON.stringify({ city: 'Bern' })
      return {
        ...tokensLeft,
        content:
          calls === 1
            ? [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input }]
            : [{ type: 'text', text: `seen ${prompt.length}` }],
      }
    },
  })
  const weather = tool({
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `sunny in ${city}`,
  })
  const { text } = await generateText({
    model: saving(name, model),
    tools: { weather },
    prompt: 'Weather?',
    stopWhen: isStepCount(3),
  })
  expect(text).toBe('seen 3')
  expect(await messagesOf(name)).toEqual([
    ...[
      ['user', 'Weather?'],
      ['assistant', 'tool-call'],
      ['tool', 'tool-result'],
    ],
    ['assistant', 'seen 3'],
  ])
  const next = await generateText({ model: saving(name), prompt: 'Thanks.' })
  expect(next.text).toBe('seen 5')
})

test('an answer that cannot be remembered is not returned', async () => {
  const client = server.client({ url: 'http://127.0.0.1:1', retries: 0 })
  const model = saving(newName(), counting(), { client })
  await expect(generateText({ model, prompt: 'one', maxRetries: 0 })).rejects.toMatchObject({
    code: 'client/unreachable',
  })
})

test('the model gets the last messages, and a version keeps so many, from a question on', async () => {
  const name = newName()
  const options = { recall: 3, keep: 5 }
  for (const prompt of ['a', 'b', 'c', 'd']) {
    await generateText({ model: saving(name, counting(), options), prompt })
  }
  expect(await messagesOf(name)).toEqual([
    ['user', 'c'],
    ['assistant', 'seen 3'],
    ['user', 'd'],
    ['assistant', 'seen 3'],
  ])
})

const message = (role: 'user' | 'assistant', text: string): Message => ({
  role,
  content: [{ type: 'text', text }],
})
const turn = fc
  .tuple(fc.constantFrom('hi', 'yes', 'more'), fc.constantFrom('ok', 'no'))
  .map(([said, answer]) => [message('user', said), message('assistant', answer)])
const turns = fc.array(turn, { maxLength: 6 }).map((it) => it.flat())

describe('of a prompt', () => {
  test('the last message is always new after an answer, whatever is remembered', () => {
    const property = fc.property(turns, fc.constantFrom('hi', 'yes', 'more'), (known, said) => {
      const last = message('user', said)
      expect(freshOf(known, [last])).toEqual([last])
    })
    fc.assert(property)
  })

  test('what the application sends of the conversation is not remembered twice', () => {
    const property = fc.property(turns, fc.nat(20), (known, from) => {
      const last = message('user', 'something new')
      expect(freshOf(known, [...known.slice(from), last])).toEqual([last])
    })
    fc.assert(property)
  })

  test('a question that was remembered without its answer is asked again', () => {
    const last = message('user', 'hi')
    expect(freshOf([last], [last])).toEqual([])
  })

  test('no more than the most messages are taken, and the first is one of the user', () => {
    const property = fc.property(turns, fc.nat(14), (known, most) => {
      const last = lastMessages(known, most)
      expect(last.length).toBeLessThanOrEqual(most)
      expect(last.length).toBeGreaterThanOrEqual(Math.min(known.length, most) - 1)
      if (last.length > 0) expect(last[0]?.role).toBe('user')
    })
    fc.assert(property)
  })
})
