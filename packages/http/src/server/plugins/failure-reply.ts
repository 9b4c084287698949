import { databaseOutage } from '@heirloom/adapters/internal/platform'
import { Failure, isFailure, unescapeToken } from '@heirloom/core'
import type {
  FastifyError,
  FastifyReply,
  FastifyRequest,
  FastifySchemaValidationError,
  FastifyServerOptions,
} from 'fastify'
import { bigintJson } from '../../api/bigint-json.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import { patternMessages, plainFault } from '../../api/schemas/schema-parts.ts'
import { statusOf } from '../../api/status-of.ts'
import type { OutageLog } from '../../observability/outage-log.ts'

/**
 * Returns an error that is no failure as one: `store/unavailable` where a database is down, for all of
 * them but the job store have failures of their own, and else `service/unexpected`.
 */
export function unexpected(cause: unknown): Failure {
  if (isFailure(cause)) return cause
  const reason = databaseOutage(cause)
  return reason === undefined
    ? new Failure('service/unexpected', {}, { cause })
    : new Failure('store/unavailable', { reason }, { cause })
}

type Context = FastifyError['validationContext']

/** Returns the failure of a request that does not match its schema: where, why, and what was given. */
function malformedRequest(
  error: FastifySchemaValidationError,
  context: Context,
  request: FastifyRequest,
): Failure<'request/malformed'> {
  const where = `${context ?? 'request'}${error.instancePath}`
  const value = isOfMember(error) ? valueAt(request, context, error) : undefined
  const isPlain = context !== 'body' && typeof value === 'string' && plainNumber.test(value)
  const given = isPlain ? value : describeGiven(value)
  const facts = { where, problem: faultOf(error), ...(given !== undefined && { given }) }
  return new Failure('request/malformed', facts)
}

/** Returns whether an error is about the value that it names, and not about one of its members. */
const isOfMember = ({ keyword }: FastifySchemaValidationError): boolean =>
  !['required', 'additionalProperties', 'dependentRequired'].includes(keyword)

/** The most characters of a name that is repeated. */
const longestName = 64

function faultOf({ keyword, params, message }: FastifySchemaValidationError): string {
  if (keyword === 'enum') return `must be one of ${[params.allowedValues].flat().join(', ')}`
  if (keyword === 'additionalProperties') {
    const name = JSON.stringify(`${params.additionalProperty}`.slice(0, longestName))
    return `has an unknown member, ${name}`
  }
  const pattern = String(params.pattern)
  return patternMessages[pattern] ?? wordsFault(pattern) ?? plainFault(message ?? 'is not valid')
}

/** Returns what a pattern of words with commas between them asks for; `undefined` for any other. */
function wordsFault(pattern: string): string | undefined {
  const [, words] = /^\^\(([a-z-]+(?:\|[a-z-]+)+)\)\(,/.exec(pattern) ?? []
  return words && `must be one or more of ${words.replaceAll('|', ', ')}, separated by commas`
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

declare module 'fastify' {
  interface FastifyInstance {
    /** Keeps repeated failures out of the log; absent where all are logged. */
    outages: OutageLog | undefined
  }
}

/** Sends a problem; amounts and ids in its facts are decimal strings. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const text = JSON.stringify(problem, bigintJson)
  // Sent as bytes: Fastify would add a charset to a string, which this media type does not have.
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/problem+json')
    .send(Buffer.from(text))
}

/** Replies with the problem of an error that a route threw. */
export async function failureReply(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const failure = failureOf(error, request)
  if (failure.code === 'request/too-large') await discardBody(request)
  const { status } = statusOf[failure.code]
  logFailure(request, failure, status)
  // A request whose address cannot be decoded reaches no hook.
  reply.header('x-request-id', request.id)

  if (failure.code === 'service/busy') reply.header('retry-after', '1')
  if ('retryAfterSeconds' in failure.facts) {
    reply.header('retry-after', failure.facts.retryAfterSeconds)
  }
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="heirloom"')
  return sendProblem(reply, problemOf(failure))
}

/** Logs why a request failed, unless it met an outage that is logged already. */
function logFailure({ log, server }: FastifyRequest, failure: Failure, status: number): void {
  const { code } = failure
  const isOutage = status === 503 && server.outages !== undefined
  if (status < 500) log.info({ code }, 'refused')
  else if (!isOutage || server.outages?.isNew(failure, 'failed')) {
    log.error({ err: failure, code }, 'failed')
  }
}

function failureOf(error: unknown, request: FastifyRequest): Failure {
  if (isFailure(error)) return error
  const { code, validation, validationContext, statusCode = 500 } = error as Partial<FastifyError>
  const [first] = validation ?? []
  if (first !== undefined) return malformedRequest(first, validationContext, request)
  return frameworkFailures[code ?? '']?.(request) ?? unnamedFailure(statusCode, error)
}

const frameworkFailures: Readonly<Record<string, (request: FastifyRequest) => Failure>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions }) =>
    new Failure('request/too-large', { limit: routeOptions.bodyLimit }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Failure('request/malformed', {
      where: 'content-length',
      problem: 'is not that of the body',
    }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Failure('request/wrong-type', { expected: 'application/json' }),
  FST_ERR_BAD_URL: () =>
    new Failure('request/malformed', { where: 'path', problem: 'is not percent-encoded UTF-8' }),
}

function unnamedFailure(statusCode: number, cause: unknown): Failure {
  return statusCode < 500
    ? new Failure('request/malformed', { where: 'request', problem: 'cannot be read' }, { cause })
    : unexpected(cause)
}

/**
 * Reads and discards the rest of a body that is too large, up to twice the limit. Most clients read
 * the reply only after they sent everything; if the connection closed before that, they would see a
 * broken pipe instead.
 */
function discardBody({ raw, routeOptions: { bodyLimit } }: FastifyRequest): Promise<void> {
  return new Promise((resolve) => {
    // A route may refuse what it has read to the end.
    if (raw.readableEnded) resolve()
    let left = 2 * bodyLimit
    raw.once('end', resolve).once('close', resolve)
    raw.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) resolve()
    })
  })
}

type OnProtocolError = NonNullable<FastifyServerOptions['clientErrorHandler']>

const failure = new Failure('request/malformed', {
  where: 'request',
  problem: 'is no HTTP/1.1 message, has too many headers, or came too slowly',
})
const body = JSON.stringify(problemOf(failure))
const reply = [
  'HTTP/1.1 400 Bad Request',
  'content-type: application/problem+json',
  `content-length: ${Buffer.byteLength(body)}`,
  'cache-control: no-store',
  'connection: close',
  '',
  body,
].join('\r\n')

/** Replies to bytes that are no HTTP request, if the connection is still writable. */
export const protocolFailure: OnProtocolError = (error, socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else socket.end(reply)
}
