import { Failure, isFailure } from '@heirloom/core'
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
  'client/no-account': ' Set HEIRLOOM_PRIVATE_KEY where the MCP server is started.',
  'client/no-node': ' Set HEIRLOOM_RPC_URL where the MCP server is started.',
  'client/unreachable': ' Check HEIRLOOM_URL, and that a server runs there.',
}

/**
 * Returns a failure as the result of a tool. It is text only, because clients check structured
 * content against the output schema of the tool.
 */
export function failureResult(error: unknown, reportError: Session['reportError']) {
  const { code, message, facts, retryable } = describeFailure(error, reportError)
  const details = JSON.stringify({ code, facts, retryable }, bigintJson)
  return {
    content: [{ type: 'text' as const, text: `${message}\n${details}` }],
    isError: true,
  }
}
