import { currentRequest } from '@heirloom/adapters/internal/request-trace'
import type { Ledger } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory, openHarness, post } from '../../../test/server-harness.ts'
import { requestIdOf, traceparentOf } from './trace-requests.ts'

const context = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe('the id of a request', () => {
  test.each(['a', 'req-1', 'Root=1-67891233-abcdef', '01J/2+3=@x~_.:', 'x'.repeat(128)])(
    'is the one that its client gave: %s',
    (given) => expect(requestIdOf({ 'x-request-id': given })).toBe(given),
  )

  test('is a new one instead of a text that a log could misread', () => {
    const wrong = [
      '',
      ' ',
      'a b',
      'a"b',
      'a\\b',
      'a\nb',
      'é',
      'a,b',
      'x'.repeat(129),
      '{}',
      'a\u0000',
    ]
    for (const given of wrong) expect(requestIdOf({ 'x-request-id': given })).toMatch(uuid)
    expect(requestIdOf({ 'x-request-id': ['one', 'two'] })).toMatch(uuid)
    expect(requestIdOf({})).toMatch(uuid)
  })

  test('stays itself in a line of JSON, whatever was given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (given) => {
        const id = requestIdOf({ 'x-request-id': given })
        expect(JSON.parse(`{"reqId":"${id}"}`)).toEqual({ reqId: id })
        expect(id.length).toBeLessThanOrEqual(128)
      }),
    )
  })
})

describe('a trace context', () => {
  test('is read as W3C defines it, also of later versions', () => {
    expect(traceparentOf({ traceparent: `00-${context}` })).toBe(`00-${context}`)
    expect(traceparentOf({ traceparent: `cc-${context}` })).toBe(`00-${context}`)
    expect(traceparentOf({ traceparent: `cc-${context}-what-the-future-will-be` })).toBe(
      `00-${context}`,
    )
  })

  test.each([
    '',
    context,
    `00-${context}-more`,
    `00-${context}0`,
    `cc-${context}.what`,
    `ff-${context}`,
    `0-${context}`,
    `00-${context.toUpperCase()}`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`,
    `00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01`,
    `00-${context}\n`,
  ])('that is wrong is ignored: %j', (traceparent) =>
    expect(traceparentOf({ traceparent })).toBeUndefined(),
  )

  test('that is given twice is ignored', () => {
    expect(traceparentOf({ traceparent: [`00-${context}`, `00-${context}`] })).toBeUndefined()
  })

  const hex = (length: number) =>
    fc.string({
      unit: fc.constantFrom(...'0123456789abcdef'),
      minLength: length,
      maxLength: length,
    })

  test('is never longer than 55 characters, and is read as itself again', () => {
    const near = fc
      .tuple(hex(2), hex(32), hex(16), hex(2), fc.string())
      .map((parts) => parts.join('-'))
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (traceparent) => {
        const read = traceparentOf({ traceparent })
        if (read === undefined) return
        expect(read).toHaveLength(55)
        expect(traceparentOf({ traceparent: read })).toBe(read)
      }),
    )
  })
})

describe('a server', () => {
  const given = { 'x-request-id': 'req-1', traceparent: `00-${context}` }

  test('answers with both, and keeps both until the write', async () => {
    const seen: unknown[] = []
    const ledgerThrough = (ledger: Ledger): Ledger => ({
      ...ledger,
      mint: (token) => {
        seen.push(currentRequest())
        return ledger.mint(token)
      },
    })
    const harness = openHarness({ ledgerThrough })
    const reply = await post(harness, '/api/memory/snapshot', memory, given)
    expect(reply.statusCode).toBe(201)
    expect(reply.headers).toMatchObject(given)
    expect(seen).toEqual([{ requestId: 'req-1', traceparent: given.traceparent }])
  })

  test('mixes up no requests at the same time', async () => {
    const seen: unknown[] = []
    const ledgerThrough = (ledger: Ledger): Ledger => ({
      ...ledger,
      mint: async (token) => {
        await new Promise(setImmediate)
        const minted = await ledger.mint(token)
        seen.push([currentRequest()?.requestId, token.idempotency?.fingerprint])
        return minted
      },
    })
    const harness = openHarness({ ledgerThrough })
    const names = Array.from({ length: 20 }, (_, at) => `req-${at}`)
    const replies = await Promise.all(
      names.map((name) =>
        post(
          harness,
          '/api/memory/snapshot',
          { ...memory, data: { name } },
          {
            'x-request-id': name,
            'idempotency-key': name,
          },
        ),
      ),
    )
    expect(replies.map(({ headers }) => headers['x-request-id'])).toEqual(names)
    expect(new Set(seen.map((it) => JSON.stringify(it))).size).toBe(20)
    expect(seen.map((it) => (it as [string])[0]).toSorted()).toEqual(names.toSorted())
  })

  test('answers a refused or unknown request with its id, too', async () => {
    const harness = openHarness()
    for (const url of ['/nowhere', '/api/memory/7/info', '/api/memory/%']) {
      const { headers } = await harness.server.inject({ url, headers: given })
      expect([url, headers['x-request-id']]).toEqual([url, 'req-1'])
    }
  })

  test('answers without a trace context where nobody traces', async () => {
    const reply = await openHarness().server.inject('/livez')
    expect(reply.headers.traceparent).toBeUndefined()
    expect(reply.headers['x-request-id']).toMatch(uuid)
  })
})
