import type { TProperties, TSchema } from '@sinclair/typebox'

/** Marks a text that may also come as the JSON value that it holds; JSON does not contain it. */
export const asJsonText = Symbol('as JSON text')

type Schema = TSchema & {
  readonly [asJsonText]?: boolean
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly properties?: TProperties
  readonly items?: TSchema
  readonly required?: readonly string[] | undefined
}

/**
 * Returns arguments with the types that a schema has: models write ids as numbers, limits and truth
 * values as texts, and `null` for what they leave out. What a schema does not describe stays as it is.
 */
export function coerce(schema: Schema, value: unknown): unknown {
  if (schema[asJsonText]) return typeof value === 'string' ? value : JSON.stringify(value)
  if (schema.type === 'string') return coerceText(schema, value)
  if (schema.type === 'integer') return coerceInteger(value)
  if (schema.type === 'boolean') return booleans.get(value) ?? value
  return Array.isArray(value) ? coerceItems(schema, value) : coerceObject(schema, value)
}

const coerceItems = ({ items }: Schema, values: readonly unknown[]): unknown =>
  items === undefined ? values : values.map((value) => coerce(items, value))

function coerceObject({ properties, required }: Schema, value: unknown): unknown {
  if (properties === undefined || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(coerceMembers({ properties, required }, value))
}

function coerceMembers(
  { properties, required = [] }: { properties: TProperties; required: Schema['required'] },
  value: object,
): [string, unknown][] {
  return Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const of = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (of === undefined) return [[name, member]]
    // A member without a type may be null, as those of a memory.
    if (member === null && 'type' in of && !required.includes(name)) return []
    return [[name, coerce(of, member)]]
  })
}

const booleans: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
])

// A number beyond 2^53 has lost digits, so it is refused.
function coerceText({ enum: words }: Schema, value: unknown): unknown {
  return words === undefined && Number.isSafeInteger(value) ? `${value}` : value
}

const coerceInteger = (value: unknown): unknown =>
  typeof value === 'string' && /^(0|[1-9][0-9]{0,14})$/.test(value) ? Number(value) : value
