import { Problem, unreachable } from './problem.ts'
import { anyRemedy, remedies } from './remedies.ts'

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
  if (!response.ok) throw refusal(response.status, await response.text())
  return response
}

type Refused = { readonly detail?: string; readonly code?: string; readonly retryable?: boolean }

/** Returns the problem that a refusal tells of. */
export function refusal(status: number, body: string): Problem {
  const { detail, code, retryable } = parse(body)
  return new Problem(
    detail ?? `The server refused (status ${status}).`,
    remedies[code ?? ''] ?? anyRemedy,
    { code, isPassing: retryable ?? status >= 500 },
  )
}

function parse(body: string): Refused {
  try {
    return JSON.parse(body) as Refused
  } catch {
    return {}
  }
}
