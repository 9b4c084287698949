import type { MastraDBMessage } from '@mastra/core/agent'
import { Agent } from '@mastra/core/agent'
import type { MastraModelConfig } from '@mastra/core/llm'
import { Memory } from '@mastra/memory'
import { MockLanguageModelV3 } from 'ai/test'
import { expect, test } from 'vitest'
import { frameworkServer } from '../../../test/framework-server.ts'
import { HeirloomStorage } from './heirloom-storage.ts'

const server = frameworkServer()
let names = 0
const newName = () => {
  names += 1
  return `mastra-${names}`
}
const storageOf = (name: string) => new HeirloomStorage({ client: server.client(), name })
const memoryOf = (name: string) => storageOf(name).stores.memory

const threadOf = (id: string) => ({
  id,
  resourceId: 'ada',
  title: id,
  metadata: { tag: 'x', $date: 'text' },
  createdAt: new Date(1_000),
  updatedAt: new Date(2_000),
})
const messageOf = (id: string, threadId: string, text: string): MastraDBMessage => ({
  id,
  threadId,
  resourceId: 'ada',
  role: 'user',
  createdAt: new Date(Number(id)),
  content: { format: 2, parts: [{ type: 'text', text }] },
})

test('threads, messages and resources are there for another process, with their dates', async () => {
  const name = newName()
  const memory = memoryOf(name)
  await memory.saveThread({ thread: threadOf('t') })
  await memory.saveMessages({ messages: [messageOf('1', 't', 'one'), messageOf('2', 't', 'two')] })
  const resource = {
    id: 'ada',
    workingMemory: '# Ada',
    createdAt: new Date(3),
    updatedAt: new Date(4),
  }
  await memory.saveResource({ resource })

  const other = memoryOf(name)
  expect(await other.getThreadById({ threadId: 't' })).toMatchObject({
    ...threadOf('t'),
    updatedAt: expect.any(Date),
  })
  const { messages, total } = await other.listMessages({ threadId: 't' })
  expect([total, messages.map((it) => [it.id, it.createdAt])]).toEqual([
    ...[
      2,
      [
        ['1', new Date(1)],
        ['2', new Date(2)],
      ],
    ],
  ])
  expect(await other.getResourceById({ resourceId: 'ada' })).toEqual(resource)
  await other.deleteMessages(['1'])
  expect((await memory.listMessages({ threadId: 't' })).total).toBe(1)
  await other.deleteThread({ threadId: 't' })
  expect(await memory.getThreadById({ threadId: 't' })).toBeNull()
})

test('processes that write at once lose nothing', async () => {
  const name = newName()
  await memoryOf(name).saveThread({ thread: threadOf('t') })
  const saves = Array.from({ length: 5 }, (_, at) =>
    memoryOf(name).saveMessages({ messages: [messageOf(`${at}`, 't', 'x')] }),
  )
  await Promise.all(saves)
  expect((await memoryOf(name).listMessages({ threadId: 't' })).total).toBe(5)
  const updates = ['a', 'b', 'c'].map((tag) =>
    memoryOf(name).updateThreadMetadata({
      id: 't',
      update: ({ metadata }) => ({ ...metadata, [tag]: 1 }),
    }),
  )
  await Promise.all(updates)
  const thread = await memoryOf(name).getThreadById({ threadId: 't' })
  expect(thread?.metadata).toEqual({ tag: 'x', $date: 'text', a: 1, b: 1, c: 1 })
})

test('a call that changes nothing costs no version', async () => {
  const name = newName()
  const memory = memoryOf(name)
  await memory.saveThread({ thread: threadOf('t') })
  await memory.listThreads({})
  await memory.saveThread({ thread: threadOf('t') })
  await memory.deleteThread({ threadId: 'none' })
  expect((await server.client().memory(name).log()).items).toHaveLength(1)
})

test('a workflow that waits goes on in another process', async () => {
  const name = newName()
  const { workflows } = storageOf(name).stores
  const key = { workflowName: 'approve', runId: '7' }
  const snapshot = { runId: '7', status: 'suspended', context: {}, value: {} }
  await workflows.persistWorkflowSnapshot({ ...key, snapshot: snapshot as never })
  const other = storageOf(name).stores.workflows
  expect(await other.loadWorkflowSnapshot(key)).toEqual(snapshot)
  expect(other.supportsConcurrentUpdates()).toBe(true)
})

test('an agent remembers the messages of another process', async () => {
  const name = newName()
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  }
  const ask = async (text: string) => {
    const mock: unknown = new MockLanguageModelV3({
      doGenerate: async ({ prompt }) => ({
        content: [
          { type: 'text', text: `seen ${prompt.filter((it) => it.role === 'user').length}` },
        ],
        usage,
        finishReason: { unified: 'stop', raw: 'stop' },
        warnings: [],
      }),
    })
    // Mastra has types of its own for models.
    const model = mock as MastraModelConfig
    const memory = new Memory({ storage: storageOf(name), options: { lastMessages: 20 } })
    const agent = new Agent({ id: 'ada', name: 'Ada', instructions: 'Be brief.', model, memory })
    return (await agent.generate(text, { memory: { thread: 't', resource: 'ada' } })).text
  }
  expect([await ask('one'), await ask('two')]).toEqual(['seen 1', 'seen 2'])
})
