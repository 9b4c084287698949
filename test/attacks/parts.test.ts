import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { naclCipher, sealingKeyRing } from '@heirloom/adapters/cipher'
import type { Cipher } from '@heirloom/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  agent,
  mintToken,
  openHarness,
  proofOf,
  type ServerHarness,
  secondsOf,
} from '../../packages/http/test/server-harness.ts'

const mebibyte = 2 ** 20
const names = 400_000
const notes = Array.from({ length: 20_000 }, (_, id) => ({
  id,
  text: `note ${id} ${randomBytes(60).toString('hex')}`,
}))

/** Counts the pieces that are opened. */
const reads = { opened: new Set<number>(), pieces: 0 }

function countReads(cipher: Cipher): Cipher {
  return {
    ...cipher,
    reader: async (...sealed) => {
      const reader = await cipher.reader(...sealed)
      reads.pieces = (await reader.segments()).length
      const read = (segment: number) => {
        reads.opened.add(segment)
        return reader.read(segment)
      }
      return { ...reader, read }
    },
  }
}

let harness: ServerHarness
let id: string

beforeAll(async () => {
  const keys = sealingKeyRing([randomBytes(32)])
  const cipherThrough = () => countReads(naclCipher({ keys, documentLimit: 64 * mebibyte }))
  harness = openHarness({ cipherThrough, config: { bodyLimit: 64 * mebibyte } })
  const many = Object.fromEntries(Array.from({ length: names }, (_, n) => [`name${n}`, n]))
  id = await mintToken(harness, { data: { notes, many, last: true } })
})
afterAll(() => harness.server.close())

async function get(call: string) {
  const headers = await proofOf(agent, id, secondsOf(harness))
  reads.opened.clear()
  const reply = await harness.server.inject({ url: `/api/memory/${id}/${call}`, headers })
  expect(reply.statusCode).toBe(200)
  return reply
}

describe('a long memory that is stored in pieces', () => {
  test('is outlined and read with few pieces of many', async () => {
    const outline = (await get('outline')).json()
    expect(outline.members[0].members).toMatchObject([
      { pointer: '/data/notes', count: notes.length },
      { pointer: '/data/many', count: names },
      { pointer: '/data/last', type: 'boolean' },
    ])
    expect(reads.opened.size).toBeLessThan(reads.pieces / 10)
    expect(JSON.parse((await get('part?pointer=/data/notes/12345')).body)).toEqual(notes[12_345])
    expect(reads.opened.size).toBeLessThan(reads.pieces / 10)
    expect((await get('part?pointer=/data/last')).body).toBe('true')
    expect(reads.opened.size).toBeLessThan(reads.pieces / 10)
  })

  test('answers little about an object of many names', async () => {
    const outline = await get('outline?pointer=/data/many&depth=8&width=100')
    expect(outline.json()).toMatchObject({ count: names, next: 100 })
    expect(outline.body.length).toBeLessThan(20_000)
    expect((await get(`part?pointer=/data/many/name${names - 1}`)).body).toBe(`${names - 1}`)
  })

  test('is searched while others have their turns', async () => {
    let isOver = false
    const search = get('search?q=nowhere%20to%20be%20found').then((reply) => {
      isOver = true
      return reply.json()
    })
    let turns = 0
    while (!isOver) {
      expect((await harness.server.inject('/livez')).statusCode).toBe(200)
      turns++
      // An injected request needs no turn of the event loop, as one from the network does.
      await setImmediate()
    }
    expect(await search).toMatchObject({ matches: [] })
    // It is searched 64 KiB at a time.
    expect(turns).toBeGreaterThan(20)
  })

  test('does not search further than its bound in one request', async () => {
    const first = (await get(`search?q=name${names - 1}`)).json()
    expect(first).toMatchObject({ matches: [], next: expect.any(String) })
    const second = (await get(`search?q=name${names - 1}&after=${first.next}`)).json()
    expect(second.matches).toMatchObject([{ pointer: `/data/many/name${names - 1}`, in: 'name' }])
  })
})
