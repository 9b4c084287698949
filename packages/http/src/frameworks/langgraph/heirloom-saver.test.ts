import { FakeListChatModel } from '@langchain/core/utils/testing'
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { type Checkpoint, emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { times } from '../../../../../test/tier.ts'
import { frameworkServer } from '../../../test/framework-server.ts'
import { HeirloomSaver, type SaverOptions } from './heirloom-saver.ts'

const server = frameworkServer()
let names = 0
const newName = () => {
  names += 1
  return `saver-${names}`
}
const saverOf = (name: string, options: Partial<SaverOptions> = {}) =>
  new HeirloomSaver({ client: server.client(), name, ...options })

const metadata = { source: 'loop', step: 0, parents: {} } as const
const configOf = (thread: string, ns: string, id?: string) => ({
  configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id },
})

/** An agent that answers with the number of messages it has seen. */
const agentOf = (checkpointer: HeirloomSaver) =>
  new StateGraph(MessagesAnnotation)
    .addNode('answer', async ({ messages }) => {
      const model = new FakeListChatModel({ responses: [`seen ${messages.length}`] })
      return { messages: [await model.invoke(messages)] }
    })
    .addEdge('__start__', 'answer')
    .compile({ checkpointer })

const say = async (saver: HeirloomSaver, thread: string, content: string) => {
  const config = { configurable: { thread_id: thread } }
  const { messages } = await agentOf(saver).invoke(
    { messages: [{ role: 'user', content }] },
    config,
  )
  return messages.map((it) => it.text)
}

test('an agent goes on where another process stopped', async () => {
  const name = newName()
  await say(saverOf(name), 'Thread 7', 'one')
  const said = await say(saverOf(name), 'Thread 7', 'two')
  expect(said).toEqual(['one', 'seen 1', 'two', 'seen 3'])
  expect(await say(saverOf(name), 'thread-8', 'one')).toEqual(['one', 'seen 1'])
})

test('what a conversation takes grows with its messages, and not with their square', async () => {
  const name = newName()
  const saver = saverOf(name)
  const length = async () =>
    (await server.client().memory(`${name}/long`).latest())?.document.length ?? 0
  const lengths: number[] = []
  for (let turn = 0; turn < 12; turn += 1) {
    await say(saver, 'long', `${turn}`.padEnd(300, '.'))
    lengths.push(await length())
  }
  const added = lengths.map((it, at) => it - (lengths[at - 1] ?? 0))
  expect(added.at(-1)).toBeLessThan(1.1 * (added[1] ?? 0))
})

/** A checkpoint of a random story: its parent, and the values that it sets. */
const step = fc.record({
  parent: fc.nat(),
  sets: fc.dictionary(
    fc.constantFrom('list', 'text', '__proto__'),
    fc.oneof(fc.string(), fc.array(fc.integer({ max: 3, min: 0 }), { maxLength: 5 })),
    { maxKeys: 2, noNullPrototype: false },
  ),
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Values = Readonly<Record<string, unknown>>
type Put = { readonly id: string; readonly values: Values }

/** Puts a checkpoint after one of those before. */
async function putStep(saver: HeirloomSaver, story: Put[], { parent, sets }: Step) {
  const before = story.length === 0 ? undefined : story[parent % story.length]
  const channels = Object.entries({ ...before?.values, ...sets })
  const values = Object.fromEntries(channels)
  const id = uuid6(story.length)
  const versions = Object.fromEntries(channels.map(([channel]) => [channel, story.length]))
  const fresh = Object.keys(before === undefined ? values : sets).map((it) => [it, story.length])
  const checkpoint: Checkpoint = { ...emptyCheckpoint(), id, channel_values: values }
  await saver.put(
    configOf('t', '', before?.id),
    { ...checkpoint, channel_versions: versions },
    metadata,
    Object.fromEntries(fresh),
  )
  story.push({ id, values })
}

test('every checkpoint of a thread with branches has the values that it was put with', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 8 }),
    async (steps) => {
      const name = newName()
      const saver = saverOf(name)
      const story: Put[] = []
      for (const one of steps) await putStep(saver, story, one)
      for (const { id, values } of story) {
        const tuple = await saverOf(name).getTuple(configOf('t', '', id))
        expect(tuple?.checkpoint.channel_values).toEqual(values)
      }
    },
  )
  await fc.assert(property, { numRuns: times(5, 20) })
})

describe('a checkpoint', () => {
  const put = (saver: HeirloomSaver, id: string, list: readonly unknown[], parent?: string) =>
    saver.put(
      configOf('t', '', parent),
      { ...emptyCheckpoint(), id, channel_values: { list }, channel_versions: { list: 1 } },
      metadata,
      { list: 1 },
    )
  const listAt = async (saver: HeirloomSaver, id: string) =>
    (await saver.getTuple(configOf('t', '', id)))?.checkpoint.channel_values.list

  test('that is put again is replaced, and what continues it stays', async () => {
    const saver = saverOf(newName())
    await put(saver, '1', ['a', 'b'])
    await put(saver, '2', ['a', 'b', 'c'], '1')
    await put(saver, '1', ['x'])
    expect([await listAt(saver, '1'), await listAt(saver, '2')]).toEqual([['x'], ['a', 'b', 'c']])
  })

  test('stands for itself when another process deleted its thread', async () => {
    const name = newName()
    const saver = saverOf(name)
    await put(saver, '1', ['a'])
    await saverOf(name).deleteThread('t')
    const carried = { ...emptyCheckpoint(), id: '2', channel_values: { list: ['a'] } }
    await saver.put(configOf('t', '', '1'), carried, metadata, {})
    expect(await listAt(saver, '2')).toEqual(['a'])
  })

  test('has the bytes that a serializer of its own wrote', async () => {
    const flip = (bytes: Uint8Array) => bytes.map((it) => it ^ 255)
    const serde = {
      dumpsTyped: async (value: unknown): Promise<[string, Uint8Array]> => [
        'secret',
        flip(new TextEncoder().encode(JSON.stringify(value))),
      ],
      loadsTyped: async (_: string, bytes: Uint8Array | string) =>
        JSON.parse(new TextDecoder().decode(flip(bytes as Uint8Array))),
    }
    const name = newName()
    await put(saverOf(name, { serde }), '1', ['hidden text'])
    expect(await listAt(saverOf(name, { serde }), '1')).toEqual(['hidden text'])
    const saved = await server.client().memory(`${name}/t`).latest()
    expect(new TextDecoder().decode(saved?.document)).not.toContain('hidden')
  })

  test('of any id of a thread has a place of its own', async () => {
    const saver = saverOf(newName())
    const threads = ['a', 'A', 'h.a', '../x', '', ' ', '𝒳'.repeat(99), '__proto__']
    for (const thread of threads.filter((it) => it !== '')) {
      const checkpoint = { ...emptyCheckpoint(), channel_values: { thread } }
      await saver.put(configOf(thread, ''), checkpoint, metadata, { thread: 1 })
    }
    const listed: unknown[] = []
    for await (const { config } of saver.list({})) listed.push(config.configurable?.thread_id)
    expect(new Set(listed)).toEqual(new Set(threads.filter((it) => it !== '')))
    const empty = saver.put(configOf('', ''), emptyCheckpoint(), metadata, {})
    await expect(empty).rejects.toThrow(/needs thread_id/)
    const wrong = saver.getTuple({ configurable: { thread_id: { toString: () => 'a' } } })
    await expect(wrong).rejects.toThrow(/thread_id in configurable is a object/)
  })
})

test('processes that write to one thread at once lose no write', async () => {
  const name = newName()
  const first = saverOf(name)
  await first.put(configOf('t', ''), { ...emptyCheckpoint(), id: '1' }, metadata, {})
  const writes = Array.from({ length: 6 }, async (_, at) => {
    const saver = at % 2 === 0 ? first : saverOf(name)
    await saver.putWrites(configOf('t', '', '1'), [['list', at]], `task-${at}`)
  })
  await Promise.all(writes)
  const { pendingWrites } = (await first.getTuple(configOf('t', '', '1'))) ?? {}
  expect(pendingWrites).toEqual(Array.from({ length: 6 }, (_, at) => [`task-${at}`, 'list', at]))
})

test('a run with the durability held is one version', async () => {
  const name = newName()
  const saver = saverOf(name, { durability: 'held' })
  await say(saver, 't', 'one')
  expect(await saverOf(name).getTuple(configOf('t', ''))).toBeUndefined()
  await saver.flush()
  expect((await server.client().memory(`${name}/t`).log()).items).toHaveLength(1)
  expect(await say(saverOf(name), 't', 'two')).toEqual(['one', 'seen 1', 'two', 'seen 3'])
})

test('a memory of another form is refused', async () => {
  const name = newName()
  const checkpoints = [
    { ns: '', id: '1', checkpoint: { json: { v: 4 } }, metadata: { json: {} } },
  ].map((it) => ({ ...it, values: [{ channel: 'c', of: '1' }] }))
  for (const data of [{ checkpoints: 'x' }, { checkpoints: [1] }, { checkpoints }]) {
    await server
      .client()
      .memory(`${name}/t`, { seen: 'last' })
      .save({ data, metadata: { category: 'x' } })
    await expect(saverOf(name).getTuple(configOf('t', ''))).rejects.toMatchObject({
      code: 'client/unexpected-memory',
    })
  }
})
