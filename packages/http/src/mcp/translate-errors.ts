import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import { describeFailure } from './failure-result.ts'
import type { Session } from './tools/tool.ts'

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
