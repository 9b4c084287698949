import type { Answer } from '../../../src/api/operations/operations.ts'
import type { OperationName } from '../../../src/api/operations/paths.ts'
import { addressOf, type ReadInput } from './address-of.ts'
import { beginRead } from './first-read.ts'
import { unreachable } from './problem.ts'
import { toResponseProblem } from './to-response-problem.ts'

/** Reads JSON from the server. */
export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await fetchOk(path, { ...(signal && { signal }) })
  return (await response.json()) as T
}

/** Makes a read of the server. */
export const readNow = <name extends OperationName>(
  name: name,
  input: ReadInput<name>,
  signal?: AbortSignal,
): Promise<Answer<name>> => getJson(addressOf(name, input), signal)

/**
 * Fetches a path of the server and returns a successful response.
 *
 * @throws {Problem} for every other response, and when the server does not answer
 */
export async function fetchOk(path: string, init: RequestInit): Promise<Response> {
  const noteEvent = beginRead()
  let response: Response
  try {
    response = await fetch(path, init)
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw unreachable(cause)
  }
  noteEvent(response.headers.get('x-newest-event'))
  if (response.ok) return response
  const { status, headers } = response
  throw toResponseProblem({
    status,
    body: await response.text(),
    retryAfter: headers.get('retry-after'),
  })
}
