import { signal } from '@preact/signals'
import type { Answer } from '../../../src/api/operations/operations.ts'
import {
  fillPath,
  type OperationName,
  type PathValues,
  routeOf,
} from '../../../src/api/operations/paths.ts'
import { type Query, withQuery } from '../../../src/client/transport/with-query.ts'
import { unreachable } from './problem.ts'
import { toResponseProblem } from './to-response-problem.ts'

/** Reads JSON from the server. */
export async function getJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  return (await (await fetchOk(path, init)).json()) as T
}

/**
 * Posts JSON to the server, and returns the JSON of its response.
 *
 * @throws {Problem} when the server refuses, or does not answer
 */
export function postJson<T>(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  return getJson(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** Makes a read of the server. */
export const readNow = <name extends OperationName>(
  name: name,
  input: ReadInput<name>,
  init?: RequestInit,
): Promise<Answer<name>> => getJson(addressOf(name, input), init)

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

/** The values of the parameters in the path of a read, and of its query. */
export type ReadInput<name extends OperationName> = PathValues<name> & Query

/** Returns the address of a read: what its path does not name stands in its query. */
export function addressOf<name extends OperationName>(name: name, input: ReadInput<name>): string {
  const values: Query = input
  const { path } = routeOf(name)
  const query = Object.entries(values).filter(([it]) => !path.split('/').includes(`:${it}`))
  return withQuery(
    fillPath(path, (it) => values[it]),
    Object.fromEntries(query),
  )
}

const { promise, resolve } = Promise.withResolvers<string | undefined>()

let first: string | undefined

/**
 * The newest event before the first read of the catalogue, from which an event stream goes on without
 * another read; absent when no view has read the catalogue for a while.
 */
export const eventBeforeFirstRead = promise

/** Counts the reads beside the first that were computed at another event, and so may miss some. */
export const readsAtOtherEvents = signal(0)

/** Returns a function that notes the newest event before a read that begins now, as its response names it. */
function beginRead(): (newestEvent: string | null) => void {
  const isBesideFirst = first === undefined
  return (newestEvent) => {
    if (newestEvent === null || !isBesideFirst) return
    if (first === undefined) {
      first = newestEvent
      resolve(first)
    } else if (first !== newestEvent) readsAtOtherEvents.value += 1
  }
}

/** The longest that the event stream waits for a first read, in milliseconds. */
const longestWait = 2_000

setTimeout(() => resolve(undefined), longestWait)
