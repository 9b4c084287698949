import type { TSchema } from '@sinclair/typebox'
import fc from 'fast-check'

type Schema = TSchema & {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** Generates arguments that a schema allows; ids are small, so that some of them exist. */
export function arbitraryArguments(schema: TSchema): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [] } = schema as Schema
  const members = Object.entries(properties).map(
    ([name, it]) => [name, valueFor(name, it)] as const,
  )
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required] })
}

function valueFor(name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (/tokenId|parent/i.test(name)) return fc.nat({ max: 6 }).map(String)
  // A path of a text file: a memory is saved under no other name.
  if (name === 'path') return fc.stringMatching(/^[A-Za-z0-9]{1,20}( [a-z]{1,5})?\.(json|md|txt)$/)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  return forType[schema.type ?? '']?.(schema) ?? fc.jsonValue()
}

const forType: Readonly<Record<string, (schema: Schema) => fc.Arbitrary<unknown>>> = {
  string: ({ pattern, maxLength, minLength = 0 }) =>
    pattern === undefined
      ? fc.string({ minLength, maxLength: Math.min(maxLength ?? 50, 50) })
      : fc.stringMatching(new RegExp(pattern)),
  integer: ({ minimum = 0, maximum = 10_000 }) => fc.integer({ min: minimum, max: maximum }),
  boolean: () => fc.boolean(),
  array: () => fc.array(fc.string(), { maxLength: 3 }),
  object: (schema) => arbitraryArguments(schema),
}
