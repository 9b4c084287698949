import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { times } from '../../../../test/tier.ts'
import { frameworkServer } from '../../test/framework-server.ts'
import { interceptingProxy } from '../../test/intercepting-proxy.ts'
import { openNamedDocument } from './named-document.ts'

const server = frameworkServer()
let names = 0
const newName = () => {
  names += 1
  return `document-${names}`
}

type Options = Partial<Parameters<typeof openNamedDocument>[0]>
const open = (name: string, options: Options = {}) =>
  openNamedDocument({ client: server.client(), name, ...options })

/** Adds a word to the list of words. */
const appending = (word: string) => (data: Readonly<Record<string, unknown>>) =>
  [{ ...data, words: [...((data.words ?? []) as string[]), word] }, word] as const

const versionsOf = async (name: string) => (await server.client().memory(name).log()).items.length

test('writers in any number lose no change, and each sees its own', async () => {
  const counts = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 4 })
  const property = fc.asyncProperty(counts, async (writers) => {
    const name = newName()
    const documents = writers.map(() => open(name))
    const words = writers.flatMap((count, writer) =>
      Array.from({ length: count }, (_, at) => [writer, `${writer}.${at}`] as const),
    )
    const changes = words.map(async ([writer, word]) => {
      const document = documents[writer]
      expect(await document?.change(appending(word))).toBe(word)
      expect((await document?.read())?.words).toContain(word)
    })
    await Promise.all(changes)
    const { words: saved } = await open(name).read()
    expect((saved as string[]).toSorted()).toEqual(words.map(([, word]) => word).toSorted())
  })
  await fc.assert(property, { numRuns: 8 })
})

test('changes of one moment share a version, and a change of nothing has none', async () => {
  const name = newName()
  const document = open(name)
  await Promise.all(['a', 'b', 'c', 'd'].map((word) => document.change(appending(word))))
  expect(await versionsOf(name)).toBe(1)
  await document.change((data) => [data, undefined])
  expect(await versionsOf(name)).toBe(1)
})

test('a change that fails saves nothing, and those beside it are saved', async () => {
  const document = open(newName())
  const failing = document.change(() => {
    throw new TypeError('No.')
  })
  const other = document.change(appending('b'))
  await expect(failing).rejects.toThrow('No.')
  await other
  expect(await document.read()).toEqual({ words: ['b'] })
})

describe('what another program wrote', () => {
  const numbers = ['1.0', '1e2', '9007199254740993', '-0.0', '12345678901234567890.5', '0.1']

  test('stays as it was written, to the digits of its numbers', async () => {
    const number = fc.constantFrom(...numbers)
    const text = fc.oneof(fc.string(), fc.constantFrom('exact-number:', '1.0', '"', '\\'))
    const property = fc.asyncProperty(number, number, text, async (inside, outside, said) => {
      const name = newName()
      const rest = `"deep":[{"n":${inside},"said":${JSON.stringify(said)}}],"n":${outside}`
      const document = `{"data":{${rest}},"metadata":{"category":"notes","v":${outside}}}`
      await server.client().memory(name).save({ document })
      await open(name).change(appending('mine'))
      const saved = await server.client().memory(name).latest()
      const expected = `{"data":{${rest},"words":["mine"]},"metadata":{"category":"notes","v":${outside}}}`
      expect(new TextDecoder().decode(saved?.document)).toBe(expected)
    })
    await fc.assert(property, { numRuns: times(7, 25) })
  })

  test('is read as JavaScript has it', async () => {
    const name = newName()
    const document = '{"data":{"n":[1.0,1e2,"1.0"]},"metadata":{"category":"notes"}}'
    await server.client().memory(name).save({ document })
    expect(await open(name).read()).toEqual({ n: [1, 100, '1.0'] })
  })

  test('is seen at the next read, and a version that was erased is empty', async () => {
    const name = newName()
    const document = open(name)
    await document.change(appending('mine'))
    const other = server.client().memory(name)
    await other.latest()
    await other.save({ data: { words: ['theirs'] }, metadata: { category: 'notes' } })
    expect(await document.read()).toEqual({ words: ['theirs'] })
    await other.forget()
    expect(await document.read()).toEqual({})
    await document.change(appending('again'))
    expect(await document.read()).toEqual({ words: ['again'] })
  })
})

describe('when the answer of a save is lost', () => {
  test('it is saved once, and nothing after it is lost', async () => {
    const name = newName()
    await using network = await interceptingProxy(server.url())
    let lost = 0
    network.intercept(async ({ method, path }, forward) => {
      const reply = await forward()
      const isSave = method === 'POST' && path === '/api/memory/snapshot'
      if (!isSave || lost > 0) return reply
      lost += 1
      return undefined
    })
    const document = open(name, { client: server.client({ url: network.url }) })
    await document.change(appending('a'))
    await document.change(appending('b'))
    expect(lost).toBe(1)
    expect(await open(name).read()).toEqual({ words: ['a', 'b'] })
    expect(await versionsOf(name)).toBe(2)
  })

  test('and that of all its repetitions, the failure is reported, and the next change sees it', async () => {
    const name = newName()
    await using network = await interceptingProxy(server.url())
    let isDown = true
    network.intercept(async ({ method }, forward) => {
      const reply = await forward()
      return method === 'POST' && isDown ? undefined : reply
    })
    const document = open(name, { client: server.client({ url: network.url, retries: 1 }) })
    const unreachable = { code: 'client/unreachable' }
    await expect(document.change(appending('a'))).rejects.toMatchObject(unreachable)
    isDown = false
    await document.change(appending('b'))
    expect(await document.read()).toEqual({ words: ['a', 'b'] })
  })
})

test('a save that fails is reported to each of its callers', async () => {
  const client = server.client({ url: 'http://127.0.0.1:1', retries: 0 })
  const document = open(newName(), { client })
  const results = await Promise.allSettled([appending('a'), appending('b')].map(document.change))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

describe('with the durability held', () => {
  const held = { durability: 'held' } as const

  test('a change costs no save before flush, which saves all as one version', async () => {
    const name = newName()
    const document = open(name, held)
    for (const word of ['a', 'b', 'c']) await document.change(appending(word))
    expect(await document.read()).toEqual({ words: ['a', 'b', 'c'] })
    expect(await open(name).read()).toEqual({})
    await document.flush()
    await document.flush()
    expect(await open(name).read()).toEqual({ words: ['a', 'b', 'c'] })
    expect(await versionsOf(name)).toBe(1)
  })

  test('a flush adds to what others saved meanwhile', async () => {
    const name = newName()
    const document = open(name, held)
    await document.change(appending('mine'))
    await open(name).change(appending('theirs'))
    await document.flush()
    expect(await document.read()).toEqual({ words: ['theirs', 'mine'] })
    expect(await open(name).read()).toEqual({ words: ['theirs', 'mine'] })
  })

  test('what a flush could not save is held for the next one', async () => {
    const name = newName()
    await using network = await interceptingProxy(server.url())
    let isDown = false
    network.intercept(async (_, forward) => (isDown ? undefined : forward()))
    const client = server.client({ url: network.url, retries: 0 })
    const document = open(name, { ...held, client })
    await document.change(appending('a'))
    isDown = true
    await expect(document.flush()).rejects.toMatchObject({ code: 'client/unreachable' })
    await document.change(appending('b'))
    isDown = false
    await document.flush()
    expect(await open(name).read()).toEqual({ words: ['a', 'b'] })
  })

  test('it never holds more than a thousand changes', async () => {
    const name = newName()
    const document = open(name, held)
    for (let at = 0; at < 1001; at += 1) await document.change(appending(`${at}`))
    const { words } = (await open(name).read()) as { words: readonly string[] }
    expect(words).toHaveLength(1000)
  })
})
