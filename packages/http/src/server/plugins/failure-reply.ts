import { Failure, isFailure } from '@heirloom/core'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { bigintJson } from '../../api/bigint-json.ts'
import { type Problem, problemOf } from '../../api/problem.ts'
import { statusOf } from '../../api/status-of.ts'
import type { OutageLog } from '../../observability/outage-log.ts'
import { unexpected } from '../unexpected.ts'
import { malformedRequest } from './malformed-request.ts'

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
