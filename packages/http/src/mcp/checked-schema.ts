import { fromJsonSchema, type jsonSchemaValidator } from '@modelcontextprotocol/server'
import { Ajv, AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { TObject, TProperties, TSchema } from '@sinclair/typebox'
import { nearestName } from '../api/nearest-name.ts'
import { patternMessages, plainFault } from '../api/schemas/schema-parts.ts'
import { amountMessages, withoutUnits } from './amounts.ts'

/** Marks a text that may also come as the JSON value that it holds; JSON does not contain it. */
export const asJsonText = Symbol('as JSON text')

type Coerced = TSchema & {
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
export function coerce(schema: Coerced, value: unknown): unknown {
  if (schema[asJsonText]) return typeof value === 'string' ? value : JSON.stringify(value)
  if (schema.type === 'string') return coerceText(schema, value)
  if (schema.type === 'integer') return coerceInteger(value)
  if (schema.type === 'boolean') return booleans.get(value) ?? value
  return Array.isArray(value) ? coerceItems(schema, value) : coerceObject(schema, value)
}

const coerceItems = ({ items }: Coerced, values: readonly unknown[]): unknown =>
  items === undefined ? values : values.map((value) => coerce(items, value))

function coerceObject({ properties, required }: Coerced, value: unknown): unknown {
  if (properties === undefined || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(coerceMembers({ properties, required }, value))
}

function coerceMembers(
  { properties, required = [] }: { properties: TProperties; required: Coerced['required'] },
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
function coerceText({ enum: words }: Coerced, value: unknown): unknown {
  return words === undefined && Number.isSafeInteger(value) ? `${value}` : value
}

const coerceInteger = (value: unknown): unknown =>
  typeof value === 'string' && /^(0|[1-9][0-9]{0,14})$/.test(value) ? Number(value) : value

type Schema = TSchema & {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly enum?: readonly unknown[]
}

const messages = Object.entries({ ...patternMessages, ...amountMessages })

/** The most characters of an explanation, which may repeat arguments. */
const mostCharacters = 1000

/** Explains why arguments do not match a schema, and what to pass. */
function explain(schema: Schema, message: string, input: unknown): string {
  const text = messages.reduce(
    (text, [pattern, words]) => text.replaceAll(`must match pattern "${pattern}"`, words),
    plainFault(withWords(schema, message)),
  )
  const unknown = unknownNames(schema, input)
  const all = [
    unknown.length > 0 && isOfUnknown.test(text) ? '' : text.replace(/^data\/?/, '').trim(),
    ...unknown,
    ...missingNames(schema, input),
  ]
    .filter((it) => it !== '')
    .join('. ')
  return all.length > mostCharacters ? `${all.slice(0, mostCharacters).toWellFormed()}…` : all
}

/** Matches the words of the validator for an unknown argument, which lack its name. */
const isOfUnknown = /^data\S* must NOT have additional properties$/

/** Returns a message with the words that an argument may be, where it must be one of some. */
function withWords(schema: Schema, message: string): string {
  const [, path = ''] =
    /^data\/(\S+) must be equal to one of the allowed values/.exec(message) ?? []
  const of = path
    .split('/')
    .reduce<Schema | undefined>((at, name) => at?.properties?.[name] as Schema | undefined, schema)
  return of?.enum === undefined
    ? message
    : message.replace('equal to one of the allowed values', `one of ${of.enum.join(', ')}`)
}

/** The most unknown names that are compared with the known ones: a stranger can send thousands. */
const mostNames = 8

/** Says of each unknown argument which one it looks like, or to leave it out. */
function unknownNames(schema: Schema, input: unknown, above = ''): string[] {
  const { properties = {}, additionalProperties } = schema
  if (typeof input !== 'object' || input === null) return []
  const inner = Object.entries(properties).flatMap(([name, of]) =>
    unknownNames(of, Object.getOwnPropertyDescriptor(input, name)?.value, `${above}${name}/`),
  )
  if (additionalProperties !== false) return inner
  const known = Object.keys(properties)
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(properties, name))
  const near = new Map(unknown.slice(0, mostNames).map((name) => [name, nearestName(name, known)]))
  const alike = [...near].flatMap(([name, meant]) =>
    meant === undefined ? [] : [`${above}${name} is not known here, and looks like ${meant}`],
  )
  const others = unknown.filter((name) => near.get(name) === undefined)
  if (others.length === 0) return [...inner, ...alike]
  const names = others.map((name) => `${above}${name}`).join(', ')
  const rest = `Leave out ${names.slice(0, 200)}; the arguments are: ${known.join(', ') || 'none'}`
  return [...inner, ...alike, rest]
}

function missingNames({ properties = {}, required = [] }: Schema, input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return []
  const missing: string[] = required.filter((name: string) => !Object.hasOwn(input, name))
  return missing.map((name) => {
    const { description = 'see the schema' } = properties[name] ?? {}
    return `Pass ${name}: ${description.replace(/\.$/, '')}`
  })
}

type Arguments = Record<string, unknown>
type Checked = ReturnType<typeof fromJsonSchema<Arguments>>

const cache = new WeakMap<TObject, Checked>()

/** Converts a schema for the SDK; cached, because each request creates a server. */
export function checkedSchema(schema: TObject): Checked {
  const checked = cache.get(schema) ?? fromJsonSchema<Arguments>(schema as object, lazyValidator)
  cache.set(schema, checked)
  return checked
}

// Stops at the first error: a stranger can send thousands of wrong members.
const validator = new AjvJsonSchemaValidator(new Ajv({ strict: false, validateSchema: false }))

// Compiles each schema at its first use; compiling all of them would double the start-up time.
const lazyValidator: jsonSchemaValidator = {
  getValidator: <T>(schema: Parameters<jsonSchemaValidator['getValidator']>[0]) => {
    let check: ReturnType<typeof validator.getValidator<T>> | undefined
    const of = schema as TObject
    return (input: unknown) => {
      check ??= validator.getValidator<T>(schema)
      const coerced = coerce(of, input)
      const result = check(coerced)
      return result.valid
        ? { ...result, data: withoutUnits(of, coerced) as T }
        : { ...result, errorMessage: explain(of, result.errorMessage, coerced) }
    }
  },
}
