import { connect } from 'node:net'
import type { Idempotency } from '@heirloom/core'
import { arbitraryCodePoint } from '@heirloom/testkit'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectRefusal, malformed } from '../../../test/expect-refusal.ts'
import {
  addressOf,
  freeTerms,
  listToken,
  memory,
  mintToken,
  openHarness,
  other,
  post,
  type ServerHarness,
} from '../../../test/server-harness.ts'
import { readIdempotencyKey } from './idempotency-keys.ts'

const key = { 'idempotency-key': '"8e03978e-40d5-43dd-bc93-6894a57f9324"' }
const reused = { status: 422, code: 'idempotency/key-reused' }
const offered = { price: '7', rentalPricePerDay: '3', forkPrice: '5' }

type Call = readonly [url: string, body?: object]

/** A call of each write that succeeds once, and whose repetition would show. */
const calls = (id: string): Readonly<Record<string, Call>> => ({
  snapshot: ['/api/memory/snapshot', memory],
  list: ['/api/marketplace/list', { tokenId: id, ...freeTerms, ...offered, price: '8' }],
  buy: [`/api/marketplace/buy/${id}`],
  'buy for another': [`/api/marketplace/buy/${id}`, { recipient: addressOf(other) }],
  rent: [`/api/marketplace/rent/${id}`, { durationDays: 300 }],
  fork: [`/api/marketplace/fork/${id}`],
  royalty: [`/api/marketplace/royalty/${id}`, { amount: '9' }],
})

let harness: ServerHarness
let id: string
beforeEach(async () => {
  harness = openHarness()
  id = await listToken(harness, offered)
})

describe.each(Object.keys(calls('1')))('%s', (verb) => {
  const [url, body] = calls('1')[verb] as Call
  const send = (headers: Readonly<Record<string, string>> = key) =>
    post(harness, url, body, headers)

  test('gets the same reply, byte for byte, and does not run again', async () => {
    const first = await send()
    expect(first.statusCode).toBe(201)
    harness.clock.advance(5000)
    const before = await harness.state()
    expect((await send()).rawPayload).toEqual(first.rawPayload)
    expect(await harness.state()).toEqual(before)
  })

  test('runs once when it arrives twice at once', async () => {
    const plain = openHarness()
    await listToken(plain, offered)
    await post(plain, url, body)
    const [one, two] = await Promise.all([send(), send()])
    expect([one.statusCode, two.statusCode]).toEqual([201, 201])
    expect(one.rawPayload).toEqual(two.rawPayload)
    expect(withoutContent(await harness.state())).toEqual(withoutContent(await plain.state()))
  })

  test('refuses the key for another payload', async () => {
    await send()
    const changed = { ...body, more: 1 }
    await expectRefusal(harness, () => post(harness, url, changed, key), reused)
    await expectRefusal(
      harness,
      () => post(harness, url, `${JSON.stringify(body ?? {})} `, key),
      reused,
    )
  })
})

/** Removes the hashes of sealed bytes, which are random, so that two harnesses can be compared. */
function withoutContent(state: object): unknown {
  const text = JSON.stringify(state, (name, value) => {
    if (name === 'contentHash' || name === 'digest') return undefined
    return typeof value === 'bigint' ? `${value}` : value
  })
  return JSON.parse(text)
}

describe('a key', () => {
  test('belongs to one call: calls with another key, or none, all run', async () => {
    const { tokens } = await harness.state()
    for (const headers of [key, { 'idempotency-key': 'another' }, {}, {}]) {
      expect((await post(harness, '/api/memory/snapshot', memory, headers)).statusCode).toBe(201)
    }
    expect((await harness.state()).tokens).toHaveLength(tokens.length + 4)
  })

  const send = (url: string, body: object | undefined, headers = {}) =>
    post(harness, url, body, { ...key, ...headers })

  test('belongs to one path and one verb', async () => {
    await send(`/api/marketplace/rent/${id}`, { durationDays: 1 })
    const second = await mintToken(harness)
    for (const [url, body] of [
      [`/api/marketplace/rent/${second}`, { durationDays: 1 }],
      [`/api/marketplace/fork/${id}`, undefined],
      ['/api/memory/snapshot', memory],
    ] as const) {
      await expectRefusal(harness, () => send(url, body), reused)
    }
  })

  test('ignores the query', async () => {
    const first = await send(`/api/marketplace/fork/${id}`, undefined)
    const second = await send(`/api/marketplace/fork/${id}?again=1`, undefined)
    expect([second.statusCode, second.json()]).toEqual([201, first.json()])
  })

  test('is the same with and without quotes', async () => {
    const first = await send(`/api/marketplace/fork/${id}`, undefined)
    const bare = { 'idempotency-key': key['idempotency-key'].slice(1, -1) }
    const second = await send(`/api/marketplace/fork/${id}`, undefined, bare)
    expect(second.json()).toEqual(first.json())
  })

  test('of one API key is not that of another', async () => {
    harness = openHarness({ config: { apiKeys: ['one', 'two'] } })
    const by = (apiKey: string) =>
      send('/api/memory/snapshot', memory, { authorization: `Bearer ${apiKey}` })
    const [one, two] = [await by('one'), await by('two')]
    expect([one.json().tokenId, two.json().tokenId]).toEqual(['1', '2'])
    expect((await by('one')).rawPayload).toEqual(one.rawPayload)
    const other = { ...memory, data: {} }
    const authorization = 'Bearer two'
    await expectRefusal(
      harness,
      () => send('/api/memory/snapshot', other, { authorization }),
      reused,
    )
  })

  test('reaches the ledger only as a hash, and so does an API key', async () => {
    const recalled: Idempotency[] = []
    const recall = async (_: unknown, idempotency: Idempotency) => {
      recalled.push(idempotency)
      return undefined
    }
    harness = openHarness({
      config: { apiKeys: ['one'] },
      ledgerThrough: (inner) => ({ ...inner, recall }),
    })
    await send('/api/memory/snapshot', memory, { authorization: 'Bearer one' })
    // sha256 of `<sha256 of "one">\n<key>`, and of the method, the path and the body.
    expect(recalled).toMatchInlineSnapshot(`
      [
        {
          "fingerprint": "9bf13c3e12a460c8a78cd73d690e102e7021e384b894d014ce66b8df340d99c2",
          "key": "c9e678d296c7f6b6dde6dcb53159f09af71156a63d2fbf91acb1032df8b0bf08",
        },
      ]
    `)
  })

  test('of a refused call may be used again', async () => {
    const dear = { maxPrice: '6' }
    const before = await send(`/api/marketplace/buy/${id}`, dear)
    expect(before.json().code).toBe('listing/over-max-price')
    expect((await send(`/api/marketplace/buy/${id}`, { maxPrice: '7' })).statusCode).toBe(201)
  })

  test('is ignored by a read', async () => {
    const headers = { 'idempotency-key': '' }
    const reply = await harness.server.inject({ url: `/api/memory/${id}/info`, headers })
    expect(reply.statusCode).toBe(200)
  })

  test.each([
    ['nothing', ''],
    ['empty quotes', '""'],
    ['201 letters', 'k'.repeat(201)],
    ['201 letters in quotes', `"${'k'.repeat(201)}"`],
    ['a space', 'a b'],
    ['a space in quotes', '"a b"'],
    ['a letter that is not ASCII', 'caf\u00e9'],
    ['a quote that does not end', '"a'],
    ['a quote in the middle', 'a"b'],
    ['a quote in quotes', '"a"b"'],
    ['a backslash before another letter', '"a\\b"'],
    ['a backslash before the last quote', '"a\\"'],
    ['a parameter', '"a";b=1'],
    ['two strings', '"a", "b"'],
    ['two bare words', 'a, b'],
    ['two bare words close together', 'a,b'],
    ['a byte sequence', ':YQ==: :'],
  ])('of %s is malformed', async (_, header) => {
    const send = () => post(harness, '/api/memory/snapshot', memory, { 'idempotency-key': header })
    const { facts } = await expectRefusal(harness, send, malformed)
    expect(facts).toMatchObject({ where: 'header idempotency-key' })
  })

  test.each(['k'.repeat(200), `"${'k'.repeat(200)}"`, `"${'\\"'.repeat(200)}"`, '"a,b"', ':;=()'])(
    'may be %s',
    (header) => {
      expect(readIdempotencyKey(header)).toHaveLength(
        Math.min(200, readIdempotencyKey(header)?.length ?? 0),
      )
    },
  )

  test('in two headers is malformed', async () => {
    const { port } = new URL(await harness.server.listen({ host: '127.0.0.1', port: 0 }))
    const socket = connect(Number(port), '127.0.0.1')
    const reply = new Promise<string>((resolve) => socket.once('data', (it) => resolve(`${it}`)))
    socket.write(
      [
        `POST /api/marketplace/fork/${id} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        'Idempotency-Key: one',
        'Idempotency-Key: one',
        'Connection: close',
        '\r\n',
      ].join('\r\n'),
    )
    expect(await reply).toContain('400 Bad Request')
    socket.destroy()
    await harness.server.close()
  })
})

describe('readIdempotencyKey', () => {
  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 200,
  })

  test('reads every key from its quoted form', () =>
    fc.assert(
      fc.property(visible, (text) => {
        expect(readIdempotencyKey(`"${text.replace(/["\\]/g, '\\$&')}"`)).toBe(text)
      }),
    ))

  test('reads a bare key unchanged, unless it has a character that needs quotes', () =>
    fc.assert(
      fc.property(visible, (text) => {
        if (!/[",\\]/.test(text)) expect(readIdempotencyKey(text)).toBe(text)
      }),
    ))

  test('reads any text as a key of 1 to 200 visible characters, or refuses it', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: arbitraryCodePoint }), fc.string()), (text) => {
        try {
          expect(readIdempotencyKey(text)).toMatch(/^[!-~]{1,200}$/)
        } catch (error) {
          expect(error).toMatchObject({ code: 'request/malformed' })
        }
      }),
    ))
})
