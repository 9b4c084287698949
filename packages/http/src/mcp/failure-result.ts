import { Failure, isFailure } from '@heirloom/core'
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import { bigintJson } from '../api/bigint-json.ts'
import { problemOf } from '../api/problem.ts'
import { isHeirloomError } from '../client/heirloom-error.ts'
import type { Session } from './tools/tool.ts'

/** The description of a failure for a client. */
type FailureDescription = {
  readonly code: string
  readonly message: string
  readonly facts: object
  readonly retryable: boolean
}

/** Describes a thrown value. An unexpected error is reported, and described without details. */
export function describeFailure(
  error: unknown,
  reportError: Session['reportError'],
): FailureDescription {
  if (isHeirloomError(error)) {
    const { code, message, facts, retryable } = error
    return { code, message: `${message}${hints[code] ?? ''}`, facts, retryable }
  }
  if (!isFailure(error)) reportError?.(error)
  const failure = isFailure(error) ? error : new Failure('service/unexpected', {})
  const { code, detail, facts, retryable } = problemOf(failure)
  return { code, message: detail, facts, retryable }
}

/** Advice for the user of the session, by failure code. */
const hints: Readonly<Record<string, string>> = {
  'api-key/out-of-scope': ' Set another HEIRLOOM_API_KEY where the MCP server is started.',
  'request/not-authorized': ' Set HEIRLOOM_API_KEY where the MCP server is started.',
  'client/no-account': ' Set HEIRLOOM_PRIVATE_KEY where the MCP server is started.',
  'client/no-node': ' Set HEIRLOOM_RPC_URL where the MCP server is started.',
  'client/unreachable': ' Check HEIRLOOM_URL, and that a server runs there.',
}

/** The next steps with the tools for a small context, where the sentence does not name them. */
const steps: Readonly<Record<string, string>> = {
  'idempotency/key-reused': ' It was saved or paid already: read before you write again.',
  'import/secrets-found': ' Here that is secrets: redact, or keep if the user wants it.',
  'listing/not-for-fork': ' show returns what is on offer.',
  'listing/not-for-rent': ' show returns what is on offer.',
  'listing/not-for-sale': ' show returns what is on offer.',
  'listing/over-max-price': ' Ask the user before you raise maxPrice.',
  'memory/erased': ' Save data with its token as after to begin anew.',
  'name/moved': ' read_part opens it by the name.',
  'name/not-found': ' memories lists your names.',
  'part/malformed': ' A pointer is as /data/notes/3, a path as $.data.notes[-3:].',
  'token/not-found': ' browse finds memories of others, memories lists yours.',
}

/** Returns a failure of a tool for a small context as its result, with what to do next. */
export function smallFailureResult(error: unknown, reportError: Session['reportError']) {
  const { code, message, facts, retryable } = describeFailure(error, reportError)
  const step = steps[code] ?? (retryable ? ' Call it again.' : '')
  return resultOf({ code, message: `${message}${step}`, facts, retryable })
}

/**
 * Returns a failure as the result of a tool. It is text only, because clients check structured
 * content against the output schema of the tool.
 */
export function failureResult(error: unknown, reportError: Session['reportError']) {
  return resultOf(describeFailure(error, reportError))
}

function resultOf({ code, message, facts, retryable }: FailureDescription) {
  const details = JSON.stringify({ code, facts, retryable }, bigintJson)
  return {
    content: [{ type: 'text' as const, text: `${message}\n${details}` }],
    isError: true,
  }
}

/** Codes of a resource that is not there. */
const missing: readonly string[] = ['token/not-found', 'name/not-found']

/** Runs a request for a resource, and translates its failure. @throws {ProtocolError} */
export async function translateErrors<T>(
  { reportError }: Session,
  load: () => Promise<T>,
  uri?: URL,
): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const { code, message, facts, retryable } = describeFailure(error, reportError)
    if (missing.includes(code) && uri !== undefined) throw new ResourceNotFoundError(uri.href)
    throw new ProtocolError(errorCodeOf(code, retryable), message, { code, facts, retryable })
  }
}

const errorCodeOf = (code: string, retryable: boolean) =>
  retryable || code === 'service/unexpected'
    ? ProtocolErrorCode.InternalError
    : ProtocolErrorCode.InvalidParams
