import { createClient } from '@heirloom/http/client'
import { openWallet } from '@heirloom/http/wallet'
import { generateText, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { heirloomMemory } from '../../packages/http/src/frameworks/ai-sdk/heirloom-memory.ts'
import { HeirloomStore } from '../../packages/http/src/frameworks/langgraph/heirloom-store.ts'
import { HeirloomStorage } from '../../packages/http/src/frameworks/mastra/heirloom-storage.ts'
import type { FrameworkOptions } from '../../packages/http/src/frameworks/named-document.ts'
import { heirloomSession } from '../../packages/http/src/frameworks/openai-agents/heirloom-session.ts'
import { sharedServer } from '../harness/process/shared-server.ts'

const server = sharedServer()

const newAccount = () => privateKeyToAccount(generatePrivateKey())

/** Returns a new account with its client. */
function person() {
  const account = newAccount()
  return { account, client: createClient({ url: server.url, account }) }
}

const memory = { data: { mood: 'calm' }, metadata: { category: 'agent' } }
const terms = () => ({ name: 'ada', expires: Math.floor(Date.now() / 1000) + 3600 })

/** Returns a name of a new account with a version, and another account with a grant of it. */
async function granted(rights: 'read' | 'read and save') {
  const [owner, reader] = [person(), person()]
  const named = owner.client.memory('ada')
  await named.save(memory)
  const wallet = await openWallet({ url: server.url, account: owner.account })
  const reads = { ...terms(), reader: reader.account.address, rights }
  const { id } = await wallet.grant(reads)
  const name = `${owner.account.address}:ada`
  return { owner: owner.client, named, reader, id, name, by: reader.client.granted(id) }
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    ({ code }: { readonly code?: string }) => code,
  )

describe('the name of another, by a grant to read and save', () => {
  test('is read, saved to, and changed in place, and its log says by whom', async () => {
    const { named, reader, by, name } = await granted('read and save')
    const theirs = by.memory<{ mood: string }>(name)
    expect((await theirs.latest())?.data).toEqual({ mood: 'calm' })
    const saved = await theirs.save({ ...memory, data: { mood: 'glad' } })
    expect(saved.version).toBe(2)
    expect(await theirs.save({ ...memory, data: { mood: 'glad' } })).toMatchObject({
      tokenId: saved.tokenId,
      unchanged: true,
    })
    expect(await theirs.remove('/data/mood')).toMatchObject({ version: 3 })
    expect((await theirs.at(2)).data).toEqual({ mood: 'glad' })
    expect((await theirs.find()).version).toBe(3)
    expect((await named.latest())?.data).toEqual({})
    const { items } = await named.log()
    const { address } = reader.account
    expect(items.map(({ savedBy }) => savedBy === address)).toEqual([true, true, false])
    expect((await theirs.log()).items.map((it) => it.tokenId)).toEqual(
      items.map((it) => it.tokenId),
    )
  })

  test('is saved to over what was seen alone, or over whatever is the last', async () => {
    const { named, by, name } = await granted('read and save')
    const theirs = by.memory(name)
    await theirs.latest()
    await named.save({ ...memory, data: { mood: 'sad' } })
    expect(await failureOf(theirs.save(memory))).toBe('name/moved')
    expect(await failureOf(theirs.remove('/data/mood'))).toBe('name/moved')
    expect(await failureOf(by.memory(name).save(memory))).toBe('name/moved')
    expect(await by.memory(name, { seen: 'last' }).save(memory)).toMatchObject({ version: 3 })
  })

  test('is no other one: a wrong owner, a wrong name and a bare one save and read nothing', async () => {
    const { owner, named, reader, by, name } = await granted('read and save')
    await reader.client.memory('ada').save(memory)
    const others = ['ada', `${name}a`, `${reader.account.address}:ada`, name.toUpperCase(), '', 7]
    for (const other of others) {
      const theirs = by.memory(other as string, { seen: 'last' })
      const calls = [theirs.latest(), theirs.save(memory), theirs.log(), theirs.at(1)]
      const codes = await Promise.all(calls.map(failureOf))
      expect(codes).toEqual(calls.map(() => 'name/malformed'))
    }
    const lower = name.slice(0, 42).toLowerCase() + name.slice(42)
    expect((await by.memory(lower).latest())?.data).toEqual(memory.data)
    expect((await named.log()).items).toHaveLength(1)
    expect((await owner.names()).items).toHaveLength(1)
  })

  test('stays the name of its owner: it is not renamed, forgotten, or saved for another', async () => {
    const { named, reader, by, name } = await granted('read and save')
    const theirs = by.memory(name, { seen: 'last' })
    expect(await failureOf(theirs.rename('mine'))).toBe('name/malformed')
    expect(await failureOf(theirs.forget())).toBe('name/malformed')
    const taken = { ...memory, recipient: reader.account.address }
    expect(await failureOf(theirs.save(taken))).toBe('request/malformed')
    expect((await named.log()).items).toHaveLength(1)
  })
})

/** An agent that adds texts to what it remembers, and says what it does. */
type Agent = {
  readonly add: (text: string) => Promise<unknown>
  readonly read: () => Promise<readonly string[]>
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

/** A model that answers with all that users said. */
const repeating = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const said = prompt.flatMap(({ role, content }) =>
      role === 'user' ? content.map((it) => (it.type === 'text' ? it.text : '')) : [],
    )
    const content = [{ type: 'text' as const, text: JSON.stringify(said) }]
    return { content, usage, finishReason: { unified: 'stop', raw: 'stop' }, warnings: [] }
  },
})

const agents: Readonly<Record<string, (options: FrameworkOptions) => Agent>> = {
  LangGraph: (options) => {
    const store = new HeirloomStore(options)
    return {
      add: (text) => store.put(['facts'], text, { text }),
      read: async () => (await store.search(['facts'])).map(({ key }) => key),
    }
  },
  'the AI SDK': (options) => {
    const ask = async (prompt: string) => {
      const model = wrapLanguageModel({ model: repeating, middleware: heirloomMemory(options) })
      return JSON.parse((await generateText({ model, prompt, maxRetries: 0 })).text)
    }
    return { add: ask, read: async () => (await ask('?')).slice(0, -1) }
  },
  Mastra: (options) => {
    const { memory } = new HeirloomStorage(options).stores
    const [createdAt, updatedAt] = [new Date(1), new Date(2)]
    return {
      add: (id) => memory.saveThread({ thread: { id, resourceId: 'ada', createdAt, updatedAt } }),
      read: async () => (await memory.listThreads({})).threads.map(({ id }) => id).toSorted(),
    }
  },
  'the OpenAI Agents SDK': (options) => {
    const session = heirloomSession(options)
    return {
      add: (content) => session.addItems([{ type: 'message', role: 'user', content }]),
      read: async () =>
        (await session.getItems()).map((it) => ('content' in it ? `${it.content}` : '')),
    }
  },
}

describe.each(Object.keys(agents))('%s, with the client of a grant', (framework) => {
  const open = (options: FrameworkOptions): Agent => {
    const create = agents[framework]
    if (create === undefined) throw new Error(`There is no ${framework}.`)
    const timers = { now: Date.now, random: () => 0, wait: async () => undefined }
    return create({ timers, ...options })
  }

  test('reads and saves beside the owner, and neither loses a fact', async () => {
    const { owner, named, by, name } = await granted('read and save')
    const mine = open({ client: owner, name: 'ada' })
    const theirs = open({ client: by, name })
    await mine.add('one')
    expect(await theirs.read()).toContain('one')
    await Promise.all([mine.add('two'), theirs.add('three')])
    for (const agent of [mine, theirs]) {
      expect(await agent.read()).toEqual(expect.arrayContaining(['one', 'two', 'three']))
    }
    const { items } = await named.log()
    expect(new Set(items.map(({ savedBy }) => savedBy)).size).toBe(2)
    expect(new Set(items.map((it) => it.owner)).size).toBe(1)
  })

  test('loses a race as the owner does, with name/moved', async () => {
    const { named, by, name } = await granted('read and save')
    let saves = 0
    const overtaken: FrameworkOptions['client'] = {
      ...by,
      memory: (text, options) => ({
        ...by.memory(text, options),
        save: async (...input) => {
          saves += 1
          await named.save({ ...memory, data: { saves } })
          return by.memory(text, options).save(...(input as [never]))
        },
      }),
    }
    expect(await failureOf(open({ client: overtaken, name }).add('late'))).toBe('name/moved')
    expect((await named.latest())?.data).toEqual({ saves: 30 })
  })

  test('saves nothing by a grant to read, and nothing at all once that is revoked', async () => {
    const { owner, named, by, id, name } = await granted('read')
    const theirs = open({ client: by, name })
    expect(await failureOf(theirs.add('no'))).toBe('access/denied')
    await open({ client: owner, name: 'ada' }).add('one')
    if (framework !== 'the AI SDK') expect(await theirs.read()).toContain('one')
    const { length } = (await named.log()).items
    await owner.revokeGrant(id)
    expect(await failureOf(theirs.read())).toBe('access/denied')
    expect(await failureOf(theirs.add('no'))).toBe('access/denied')
    expect((await named.log()).items).toHaveLength(length)
  })
})
