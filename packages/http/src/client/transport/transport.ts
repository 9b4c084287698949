import { HeirloomError, isHeirloomError } from '../heirloom-error.ts'
import {
  countedBody,
  decodeFailure,
  type Progress,
  type ReceivedResponse,
  readWhole,
} from './decode-response.ts'
import { invalidValue } from './request-line.ts'
import { abortedError, systemTimers, type Timers, waitBeforeRetry } from './retries.ts'

/** The options of any call. */
export type CallOptions = {
  /** Aborts the call. A write already sent may still complete. */
  readonly signal?: AbortSignal | undefined
  /** Called with the progress of a transfer, which starts again at 0 when the call is retried. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** The options of any write. */
export type WriteOptions = CallOptions & {
  /** Makes the write happen once, however often it is sent; a new key for each write when absent. */
  readonly idempotencyKey?: string | undefined
}

/** A call, which may be sent several times. */
export type Call = {
  /** The peer, for error messages; the server when absent. */
  readonly peer?: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: Uint8Array<ArrayBuffer> | undefined
  /** The most bytes of the response. */
  readonly most?: number
  /** Returns the headers of one attempt. */
  readonly headers?: () => Promise<Record<string, string>> | Record<string, string>
  readonly options: CallOptions
}

/** Sends calls to a server. @throws {HeirloomError} */
export type Transport = {
  /** Sends a call, with retries, and returns its successful response. */
  readonly send: (call: Call) => Promise<ReceivedResponse>
  /** Sends a call once, and returns its successful response with the body unread. */
  readonly open: (call: Call) => Promise<Response>
}

export declare namespace createTransport {
  type Options = {
    readonly url: string | URL
    /** The option that the address is from, for the sentence about a wrong one; `url` when absent. */
    readonly field?: string
    readonly apiKey?: string | undefined
    readonly fetch?: typeof globalThis.fetch | undefined
    /** The most retries of a call that may safely be repeated; 3 when absent. */
    readonly retries?: number | undefined
    /** The clock, timers and random numbers; those of the platform when absent. */
    readonly timers?: Timers | undefined
  }
}

/** Creates the transport to a server. */
export function createTransport(options: createTransport.Options): Transport {
  const { retries: limit = 3, timers = systemTimers } = options
  const open = createOpen(options)
  const send = async (call: Call, tries = 0): Promise<ReceivedResponse> => {
    try {
      return await readResponse(await open(call), call)
    } catch (error) {
      await waitBeforeRetry(error, { tries, limit, timers, signal: call.options.signal })
      return send(call, tries + 1)
    }
  }
  return { open, send: (call) => send(call) }
}

function createOpen(given: createTransport.Options): Transport['open'] {
  const { url, field, apiKey, ...custom } = given
  const { href, origin } = readServerUrl(url, field)
  const base = href.replace(/\/$/, '')
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  return async (call) => {
    const { method, path, options } = call
    const fetch = custom.fetch ?? globalThis.fetch
    const headers = { ...authorization, ...contentType(call), ...(await call.headers?.()) }
    const request = { method, headers, redirect: 'manual', ...bodyOf(call), ...signalOf(options) }
    const response = await translateErrors({ peer: `server at ${origin}`, ...call }, () =>
      fetch(`${base}${path}`, request as RequestInit),
    )
    if (response.ok) return response
    throw decodeFailure(await readResponse(response, { ...call, options: signalOf(options) }))
  }
}

const contentType = ({ body }: Call) =>
  body === undefined ? {} : { 'content-type': 'application/json' }

const signalOf = ({ signal }: CallOptions) => (signal === undefined ? {} : { signal })

function bodyOf({ body, options: { onProgress } }: Call): Pick<RequestInit, 'body'> {
  if (body === undefined) return {}
  return onProgress === undefined ? { body } : countedBody(body, onProgress)
}

async function readResponse(response: Response, call: Call): Promise<ReceivedResponse> {
  const { status, headers } = response
  // A call with a body reports the progress of its upload.
  const onProgress = call.body === undefined ? call.options.onProgress : undefined
  const bytes = await translateErrors(call, () => readWhole(response, onProgress, call.most))
  return { status, headers, bytes }
}

/** Runs a network operation, and translates its errors. @throws {HeirloomError} */
export async function translateErrors<T>(
  { peer = 'server', method, path, options }: Call,
  operation: () => Promise<T>,
): Promise<T> {
  try {
    return await operation()
  } catch (cause) {
    if (isHeirloomError(cause)) throw cause
    if (options.signal?.aborted) throw abortedError(cause)
    throw new HeirloomError({
      code: 'client/unreachable',
      facts: { method, path },
      message: `The ${peer} did not answer ${[method, path].join(' ').trim()}.`,
      retryable: true,
      cause,
    })
  }
}

/**
 * Reads the address of a server or a node.
 *
 * @throws `value/invalid`, whose sentence has no name and password of the address
 */
function readServerUrl(url: string | URL, field = 'url'): URL {
  if (/^https?:/i.test(`${url}`) && URL.canParse(`${url}`)) return new URL(url)
  throw invalidValue({ kind: 'URL', field, value: url && `${url}`.replace(/^.*@/s, '') })
}
