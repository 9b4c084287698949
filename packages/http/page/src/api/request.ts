import { unreachable } from './problem.ts'
import { refusal } from './to-response-problem.ts'

/** Returns what the server answers to a read. */
export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await reach(path, { ...(signal && { signal }) })
  return (await response.json()) as T
}

/**
 * Returns the server's response once it is a good one.
 *
 * @throws {Problem} in words for a person
 */
export async function reach(path: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, init)
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw unreachable(cause)
  }
  if (response.ok) return response
  const { status, headers } = response
  throw refusal({ status, body: await response.text(), retryAfter: headers.get('retry-after') })
}
