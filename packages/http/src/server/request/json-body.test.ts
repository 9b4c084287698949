import { toSeconds } from '@heirloom/core'
import { arbitraryCodePoint } from '@heirloom/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agent, openHarness, post, proofOf } from '../../../test/server-harness.ts'

const harness = openHarness()
const now = toSeconds(harness.clock.now())

async function downloaded(id: string): Promise<Buffer> {
  const headers = await proofOf(agent, id, now)
  return (await harness.server.inject({ url: `/api/memory/${id}`, headers })).rawPayload
}

const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/)
const number = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})\.[0-9]{1,30}$/),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,4})(\.[0-9]{1,4})?[eE][+-]?[0-9]{1,4}$/),
  fc.constantFrom('-0', '0.0', '1E400', '9007199254740993', '1e-0'),
)
const text = fc.oneof(
  fc.string({ unit: arbitraryCodePoint }).map((it) => JSON.stringify(it)),
  fc.constantFrom('"\\ud800"', '"\\uDFFF\\ud83d"', '"\\/"', '"\\u0000"', '"\u2028"', '"é"'),
)
const name = fc.oneof(
  fc.constantFrom('"__proto__"', '"constructor"', '"toString"', '"data"', '""', '"2"', '"1"'),
  text,
)

/** JSON texts of other encoders: odd numbers, repeated keys, lone surrogates, any white space. */
const { object } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('true', 'false', 'null'),
    number,
    text,
    tie('array'),
    tie('object'),
  ),
  array: fc
    .tuple(fc.array(fc.tuple(space, tie('value'), space), { maxLength: 4 }), space)
    .map(([items, gap]) => `[${items.map((item) => item.join('')).join(',') || gap}]`),
  object: fc
    .tuple(fc.array(fc.tuple(space, name, space, space, tie('value')), { maxLength: 5 }), space)
    .map(([members, gap]) => {
      const printed = members.map(([a, key, b, c, value]) => `${a}${key}${b}:${c}${value}`)
      return `{${printed.join(',') || gap}}`
    }),
}))

test('returns data and metadata byte for byte', async () => {
  const property = fc.asyncProperty(
    object,
    object,
    fc.tuple(space, space),
    async (data, more, gaps) => {
      const metadata = `{"category":"research","more":${more}}`
      const [one, two] = gaps
      const body = `${one}{"parentTokenId":"0",${two}"metadata":${one}${metadata},"data":${two}${data}}${one}`
      const reply = await post(harness, '/api/memory/snapshot', Buffer.from(body))
      expect(reply.statusCode).toBe(201)
      const document = await downloaded(reply.json().tokenId)
      expect(document.toString()).toBe(`{"data":${data},"metadata":${metadata}}`)
    },
  )
  await fc.assert(property, { numRuns: 150, seed: 20_260_101 })
})

test('returns texts that a parser would change', async () => {
  const data = '{"z":9007199254740993,"a":1.0,"a":2,"__proto__":{"x":1},"s":"\\ud800", "e":1E400}'
  const metadata = '{ "category":"\\u0074rading","constructor":null}'
  const reply = await post(
    harness,
    '/api/memory/snapshot',
    `{"data":${data},"metadata":${metadata}}`,
  )
  const document = await downloaded(reply.json().tokenId)
  expect(document.toString()).toBe(`{"data":${data},"metadata":${metadata}}`)
})

test('reads a member name with escapes as that name', async () => {
  const body = '{"d\\u0061ta":{"a":1},"metadata":{"category":"x"}}'
  const reply = await post(harness, '/api/memory/snapshot', body)
  const document = await downloaded(reply.json().tokenId)
  expect(document.toString()).toBe('{"data":{"a":1},"metadata":{"category":"x"}}')
})

test('reads a member named __proto__ as any other', async () => {
  const reply = await post(
    harness,
    '/api/memory/snapshot',
    '{"__proto__":{"data":{},"metadata":{}}}',
  )
  expect([reply.statusCode, reply.json().code]).toEqual([400, 'request/malformed'])
})

test('reads a body that is split across chunks, in the middle of a character', async () => {
  const { default: net } = await import('node:net')
  const real = openHarness()
  await real.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = real.server.server.address() as { port: number }
  const body = Buffer.from('{"data":{"a":"é"},"metadata":{"category":"x"}}')
  const socket = net.connect(port, '127.0.0.1')
  const reply = new Promise<string>((resolve) => socket.once('data', (it) => resolve(`${it}`)))
  const cut = body.indexOf(0xc3) + 1
  const head = [
    'POST /api/memory/snapshot HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json; charset=utf-8',
    'Transfer-Encoding: chunked',
  ].join('\r\n')
  const chunk = (part: Buffer) => [`${part.length.toString(16)}\r\n`, part, '\r\n']
  socket.write(`${head}\r\n\r\n`)
  for (const part of [...chunk(body.subarray(0, cut)), ...chunk(body.subarray(cut)), '0\r\n\r\n']) {
    socket.write(part)
  }
  expect(await reply).toContain('HTTP/1.1 201 Created')
  socket.destroy()
  await real.server.close()
})
