import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { naclCipher, sealingKeyRing } from '@heirloom/adapters/cipher'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  agent,
  openHarness,
  post,
  proofOf,
  type ServerHarness,
  secondsOf,
} from '../../packages/http/test/server-harness.ts'

const mebibyte = 2 ** 20
const many = 200_000
const nested = 480
const digits = '7'.repeat(mebibyte)

/** Well-formed documents that cost the most, with what a reader looks for at their ends. */
const documents = {
  'nests as deep as it may': `{"a":${'{"b":['.repeat(nested)}"needle"${']}'.repeat(nested)},"last":1}`,
  'nests deep often': `{"a":[${`${'['.repeat(400)}1${']'.repeat(400)},`.repeat(3000)}"needle"],"last":1}`,
  'has a name of 20 MB': `{"${'k'.repeat(20 * mebibyte)}":1,"a":"needle","last":1}`,
  'has many names': `{${Array.from({ length: many }, (_, n) => `"k${n}":${n}`).join(',')},"a":"needle","last":1}`,
  'is full of halves of characters': `{"b":"${'\\ud800'.repeat(many)}\\udc00","a":"needle","last":"\\udfff"}`,
  'is full of escapes': `{"b":"${'\\\\\\"'.repeat(many)}","a":"needle","last":1}`,
  'has numbers of 1 MB': `{"a":[${`${digits},`.repeat(9)}${digits}],"b":"needle","last":${digits}}`,
  'is nearly what is searched, everywhere': `{"a":"${'needl'.repeat(mebibyte)}needle","last":1}`,
  'has two million items': `{"a":[${'1,'.repeat(2_000_000)}"needle"],"last":1}`,
  'is full of spaces': `{"a":${' '.repeat(10 * mebibyte)}"needle","last":1}`,
} as const

/** Returns the pointers of all values whose text or name has a word. */
function occurrences(value: unknown, word: string, pointer: string): readonly string[] {
  if (typeof value === 'string') return value.includes(word) ? [pointer] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, it]) => occurrences(it, word, `${pointer}/${name}`))
}

let harness: ServerHarness
beforeAll(() => {
  const keys = sealingKeyRing([randomBytes(32)])
  const cipherThrough = () => naclCipher({ keys, documentLimit: 64 * mebibyte })
  harness = openHarness({ cipherThrough, config: { bodyLimit: 64 * mebibyte } })
})
afterAll(() => harness.server.close())

async function save(data: string): Promise<string> {
  const body = Buffer.from(`{"data":${data},"metadata":{"category":"research"}}`)
  const reply = await post(harness, '/api/memory/snapshot', body)
  expect(reply.statusCode).toBe(201)
  return reply.json().tokenId
}

/** Sends a read, and counts the turns that other work has meanwhile. */
async function read(id: string, call: string) {
  const headers = await proofOf(agent, id, secondsOf(harness))
  let isOver = false
  const reply = harness.server.inject({ url: `/api/memory/${id}/${call}`, headers }).finally(() => {
    isOver = true
  })
  let turns = 0
  for (; !isOver; turns++) await setImmediate()
  return { reply: await reply, turns }
}

describe.each(Object.entries(documents))('a memory that %s', (_, text) => {
  const parsed = JSON.parse(text) as Readonly<Record<string, unknown>>
  let id: string
  beforeAll(async () => {
    id = await save(text)
  })

  test('is read like JSON.parse reads it', async () => {
    const { reply } = await read(id, 'part?pointer=/data/last')
    expect(reply.body === text.slice(text.lastIndexOf(':') + 1, -1)).toBe(true)
    const outline = (await read(id, 'outline?pointer=/data&depth=1&width=3')).reply.json()
    expect(outline.count).toBe(Object.keys(parsed).length)
    const counts = outline.members.map((it: { count?: number }) => it.count)
    const sizeOf = (it: unknown) => (it instanceof Object ? Object.keys(it).length : undefined)
    expect(counts).toEqual(Object.values(parsed).slice(0, 3).map(sizeOf))
    const missing = await read(id, 'part?pointer=/data/none')
    expect(missing.reply.json().code).toBe('part/not-found')
  })

  test('is searched exactly, while others have their turns', async () => {
    const found: (string | undefined)[] = []
    let after = ''
    let turns = 0
    do {
      const part = await read(id, `search?q=needle${after}`)
      const page = part.reply.json()
      found.push(...page.matches.map((it: { pointer?: string }) => it.pointer))
      turns += part.turns
      after = page.next && `&after=${page.next}`
    } while (after)
    expect(found).toEqual(occurrences(parsed, 'needle', '/data'))
    // It has its turn after at most 64 KiB.
    expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / 65_536))
  })
})

test('a name that an object has 300,000 times names nothing', async () => {
  const id = await save(`{"a":{${'"same":1,'.repeat(299_999)}"same":2},"last":1}`)
  const { reply } = await read(id, 'part?pointer=/data/a/same')
  expect(reply.json()).toMatchObject({ code: 'part/not-found' })
  expect(reply.body).toContain('more than once')
  const outline = (await read(id, 'outline?pointer=/data/a')).reply.json()
  expect(outline.count).toBe(300_000)
})
