import { Failure, unescapeToken } from '@heirloom/core'
import type { FastifyError, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import { patternMessages } from '../../api/problem.ts'

type Context = FastifyError['validationContext']

/** Returns the failure of a request that does not match its schema: where, why, and what was given. */
export function malformedRequest(
  error: FastifySchemaValidationError,
  context: Context,
  request: FastifyRequest,
): Failure<'request/malformed'> {
  const where = `${context ?? 'request'}${error.instancePath}`
  const value = isOfMember(error) ? valueAt(request, context, error) : undefined
  const isPlain = context !== 'body' && typeof value === 'string' && plainNumber.test(value)
  const given = isPlain ? value : describeGiven(value)
  const facts = { where, problem: problemOf(error), ...(given !== undefined && { given }) }
  return new Failure('request/malformed', facts)
}

/** Returns whether an error is about the value that it names, and not about one of its members. */
const isOfMember = ({ keyword }: FastifySchemaValidationError): boolean =>
  !['required', 'additionalProperties', 'dependentRequired'].includes(keyword)

/** The most characters of a name that is repeated. */
const longestName = 64

function problemOf({ keyword, params, message }: FastifySchemaValidationError): string {
  if (keyword === 'enum') return `must be one of ${[params.allowedValues].flat().join(', ')}`
  if (keyword === 'additionalProperties') {
    const name = JSON.stringify(`${params.additionalProperty}`.slice(0, longestName))
    return `has an unknown member, ${name}`
  }
  return patternMessages[String(params.pattern)] ?? message ?? 'is not valid'
}

/** Returns the value that an error names by its JSON pointer. Headers are left out: they hold secrets. */
function valueAt(
  { body, query, params }: FastifyRequest,
  context: Context,
  { instancePath }: FastifySchemaValidationError,
): unknown {
  const parts: Readonly<Record<string, unknown>> = { body, querystring: query, params }
  const names = instancePath.split('/').slice(1)
  return names.reduce<unknown>(memberOf, parts[context ?? ''])
}

function memberOf(value: unknown, name: string): unknown {
  const member = unescapeToken(name)
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[member]
    : undefined
}

/** A text of digits, such as a page size in a query, which is no part of a memory. */
const plainNumber = /^[-+.\d]{1,24}$/

/** Describes a value without its text, which may be of a memory. */
function describeGiven(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return `${value}`
  if (typeof value === 'number') return `the number ${value}`
  if (typeof value === 'string')
    return value === '' ? 'empty' : `a text of ${value.length} characters`
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === 'object' ? 'an object' : undefined
}
