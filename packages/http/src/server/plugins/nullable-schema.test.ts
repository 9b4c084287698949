import serializerCompiler from '@fastify/fast-json-stringify-compiler'
import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { times } from '../../../../../test/tier.ts'
import { openHarness } from '../../../test/server-harness.ts'
import { nullableSchema } from './lazy-schemas.ts'

type Json = Readonly<Record<string, unknown>>

const compile = serializerCompiler()()
const printerOf = (schema: unknown) =>
  compile({ method: 'GET', url: '/', httpStatus: '200', schema })

const ofText = ({ pattern }: Json): fc.Arbitrary<string> =>
  typeof pattern === 'string'
    ? fc.stringMatching(new RegExp(pattern), { size: 'xsmall' })
    : fc.string()

const ofNumber = ({ minimum: min = 0, maximum: max = 1e6 }: Json): fc.Arbitrary<number> =>
  fc.integer({ min: Number(min), max: Number(max) })

/** The values of each type of schema; an object also has a member that its schema does not name. */
const byType: Readonly<Record<string, (schema: Json) => fc.Arbitrary<unknown>>> = {
  object: ({ properties }) => {
    const members = Object.entries(properties as Record<string, Json>)
    const named = Object.fromEntries(members.map(([key, it]) => [key, valuesOf(it)]))
    return fc.record({ ...named, unnamed: fc.string() })
  },
  array: ({ items }) => fc.array(valuesOf(items as Json), { maxLength: 2 }),
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ofNumber,
  number: ofNumber,
  string: ofText,
}

/** Returns the values of a schema, with null in each of its unions. */
function valuesOf(schema: Json): fc.Arbitrary<unknown> {
  const { anyOf, enum: words, const: constant } = schema
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(valuesOf))
  if (Array.isArray(words)) return fc.constantFrom(...words)
  if (constant !== undefined) return fc.constant(constant)
  return (byType[String(schema.type)] ?? ofText)(schema)
}

test('a nullable schema prints what the union prints, for every answer of the server', async () => {
  const { server } = openHarness({ rpc: async () => ({ answer: undefined }) })
  const routes: RouteOptions[] = []
  server.addHook('onRoute', (route) => {
    routes.push(route)
  })
  await server.ready()
  const schemas = routes
    .map(({ schema }) => (schema?.response as Record<string, Json> | undefined)?.[200])
    .filter((it) => it?.type === 'object')
  const unions = schemas.filter((it) => JSON.stringify(it).includes('"anyOf"'))
  expect(unions.length).toBeGreaterThan(5)
  for (const schema of unions) {
    const [print, printUnion] = [printerOf(nullableSchema(schema)), printerOf(schema)]
    fc.assert(
      fc.property(valuesOf(schema as Json), (value) => {
        expect(print(value)).toBe(printUnion(value))
      }),
      { numRuns: times(5, 20) },
    )
  }
})

test('a union of other schemas stays a union', () => {
  const schemas = [
    Type.Union([Type.Object({ a: Type.String() }), Type.Number()]),
    Type.Union([Type.Union([Type.String(), Type.Number()]), Type.Null()]),
    Type.Union([Type.String(), Type.Number(), Type.Null()]),
  ]
  for (const schema of schemas.map((it) => JSON.parse(JSON.stringify(it)))) {
    expect(nullableSchema(schema)).toEqual(schema)
  }
})
