import { Failure, isFailure } from '@heirloom/core'
import { isHeirloomError } from '../client/heirloom-error.ts'
import { problemOf } from '../api/problem.ts'
import { bigintJson } from '../api/bigint-json.ts'
import type { Session } from './tools/tool.ts'

/** What a client is told of whatever went wrong. */
type Told = {
  readonly code: string
  readonly message: string
  readonly facts: object
  readonly retryable: boolean
}

/** Returns what is told of a thrown value: of what nobody foresaw only that it happened. */
export function describeFailure(error: unknown, complain: Session['complain']): Told {
  if (isHeirloomError(error)) {
    const { code, message, facts, retryable } = error
    return { code, message: `${message}${hints[code] ?? ''}`, facts, retryable }
  }
  if (!isFailure(error)) complain?.(error)
  const failure = isFailure(error) ? error : new Failure('service/unexpected', {})
  const { code, detail, facts, retryable } = problemOf(failure)
  return { code, message: detail, facts, retryable }
}

/** What the user of a session can do about it. */
const hints: Readonly<Record<string, string>> = {
  'client/no-account': ' Set HEIRLOOM_PRIVATE_KEY where the MCP server is started.',
  'client/unreachable': ' Is HEIRLOOM_URL right, and does a server run there?',
}

/**
 * Returns a failure as the result of a tool. All of it is text: what a tool declares as its output
 * a failure is not, and clients check that.
 */
export function failureResult(error: unknown, complain: Session['complain']) {
  const { code, message, facts, retryable } = describeFailure(error, complain)
  const more = JSON.stringify({ code, facts, retryable }, bigintJson)
  return {
    content: [{ type: 'text' as const, text: `${message}\n${more}` }],
    isError: true,
  }
}
