import { Type } from '@sinclair/typebox'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { failureReply } from './failure-reply.ts'

const Body = Type.Object(
  {
    data: Type.Object({}),
    days: Type.Optional(Type.Integer({ maximum: 365 })),
    act: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['buy', 'rent'] })),
    kinds: Type.Optional(Type.String({ pattern: '^(mint|a-b)(,(mint|a-b)){0,1}$' })),
    'a/b': Type.Optional(Type.Boolean()),
    sets: Type.Optional(Type.String({ pattern: '^(small|all)(,(small|all)){0,1}$' })),
    parts: Type.Optional(Type.Array(Type.String(), { maxItems: 1 })),
  },
  { additionalProperties: false },
)

const server = fastify({
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
}).setErrorHandler(failureReply)
server.post(
  '/',
  {
    schema: {
      body: Body,
      headers: Type.Object({ 'x-key': Type.Optional(Type.String({ maxLength: 3 })) }),
    },
  },
  () => ({}),
)

const secret = 'the plaintext of a memory'
const refusals: readonly [body: object, detail: string][] = [
  [{}, "body must have required property 'data'."],
  [{ data: secret }, 'body/data must be object; it is a text of 25 characters.'],
  [{ data: '' }, 'body/data must be object; it is empty.'],
  [{ data: null }, 'body/data must be object; it is null.'],
  [{ data: {}, days: 400 }, 'body/days must be <= 365; it is the number 400.'],
  [{ data: {}, days: {} }, 'body/days must be integer; it is an object.'],
  [{ data: {}, act: 'lend' }, 'body/act must be one of buy, rent; it is a text of 4 characters.'],
  [
    { data: {}, kinds: 'mints' },
    'body/kinds must be one or more of mint, a-b, separated by commas; it is a text of 5 characters.',
  ],
  [{ data: {}, 'a/b': 1 }, 'body/a~1b must be boolean; it is the number 1.'],
  [{ data: {}, parts: ['a', 'b'] }, 'body/parts must have at most 1 items; it is a list of 2.'],
  [
    { data: {}, sets: 'x' },
    'body/sets must be one or more of small, all, separated by commas; it is a text of 1 characters.',
  ],
  [{ data: {}, prize: 1 }, 'body has an unknown member, "prize".'],
  [{ data: {}, ['x'.repeat(99)]: 1 }, `body has an unknown member, "${'x'.repeat(64)}".`],
]

test.each(refusals)('%j is refused with where, why and what was given', async (payload, detail) => {
  const reply = await server.inject({ method: 'POST', url: '/', payload })
  expect(reply.json()).toMatchObject({ status: 400, code: 'request/malformed', detail })
  expect(reply.body).not.toContain(secret)
})

test('nothing of a header is repeated', async () => {
  const headers = { 'x-key': 'a-secret-key' }
  const reply = await server.inject({ method: 'POST', url: '/', payload: { data: {} }, headers })
  expect(reply.json().detail).toBe('headers/x-key must have at most 3 characters.')
})
