import type { TSchema } from '@sinclair/typebox'
import { patternMessages } from '../../api/problem.ts'
import { amountMessages } from './amounts.ts'

type Schema = TSchema & {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly enum?: readonly unknown[]
}

const messages = Object.entries({ ...patternMessages, ...amountMessages })

/** The most characters of an explanation, which may repeat arguments. */
const mostCharacters = 1000

/** Explains why arguments do not match a schema, and what to pass. */
export function explain(schema: Schema, message: string, input: unknown): string {
  const text = messages.reduce(
    (text, [pattern, words]) => text.replaceAll(`must match pattern "${pattern}"`, words),
    withWords(schema, message),
  )
  const all = [
    text.replace(/^data\/?/, '').trim(),
    ...unknownNames(schema, input),
    ...missingNames(schema, input),
  ].join('. ')
  return all.length > mostCharacters ? `${all.slice(0, mostCharacters).toWellFormed()}…` : all
}

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

function unknownNames({ properties = {}, additionalProperties }: Schema, input: unknown) {
  if (additionalProperties !== false || typeof input !== 'object' || input === null) return []
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(properties, name))
  if (unknown.length === 0) return []
  const known = Object.keys(properties).join(', ') || 'none'
  return [`Leave out ${unknown.join(', ').slice(0, 200)}; the arguments are: ${known}`]
}

function missingNames({ properties = {}, required = [] }: Schema, input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return []
  const missing: string[] = required.filter((name: string) => !Object.hasOwn(input, name))
  return missing.map((name) => `Pass ${name}: ${properties[name]?.description ?? 'see the schema'}`)
}
