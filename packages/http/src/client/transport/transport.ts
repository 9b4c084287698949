import { type Answer, refusalOf } from './decode-response.ts'
import { countedBody, type Progress } from './counted-body.ts'
import { HeirloomError, isHeirloomError } from '../heirloom-error.ts'
import { readWhole } from './read-whole.ts'
import { aborted, pause } from './retries.ts'
import { systemTimers, type Timers } from './timers.ts'

/** What goes with any call. */
export type CallOptions = {
  /** Ends the call. A write that was sent by then may be done all the same. */
  readonly signal?: AbortSignal | undefined
  /** Told how far a memory has come; from the beginning again when the call is tried again. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** What goes with any write. */
export type WriteOptions = CallOptions & {
  /** Makes the write once, however often it is sent; one is made for each write when absent. */
  readonly idempotencyKey?: string | undefined
}

/** One call, which may be sent several times. */
export type Call = {
  /** Who is asked, for the sentences of errors; the server when absent. */
  readonly peer?: 'server' | 'node'
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: Uint8Array<ArrayBuffer> | undefined
  /** Returns the headers of one try. */
  readonly headers?: () => Promise<Record<string, string>> | Record<string, string>
  readonly options: CallOptions
}

/** Makes a call and returns its good answer. @throws {HeirloomError} */
export type Transport = {
  readonly send: (call: Call) => Promise<Answer>
  /** Makes one try of a call, and returns its good answer before it has been read. */
  readonly open: (call: Call) => Promise<Response>
}

export declare namespace transport {
  type Options = {
    readonly url: string | URL
    readonly apiKey?: string | undefined
    readonly fetch?: typeof globalThis.fetch | undefined
    /** How often a call that did no harm is tried again; 3 when absent. */
    readonly retries?: number | undefined
    /** Time and chance; the platform's own when absent. */
    readonly timers?: Timers | undefined
  }
}

/** Returns the way to a server. */
export function transport(options: transport.Options): Transport {
  const { retries: limit = 3, timers = systemTimers } = options
  const open = opening(options)
  const send = async (call: Call, tries = 0): Promise<Answer> => {
    try {
      return await whole(await open(call), call)
    } catch (error) {
      await pause(error, { tries, limit, timers, signal: call.options.signal })
      return send(call, tries + 1)
    }
  }
  return { open, send: (call) => send(call) }
}

function opening({ url, apiKey, ...given }: transport.Options): Transport['open'] {
  const base = new URL(url).href.replace(/\/$/, '')
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  return async (call) => {
    const { method, path, options } = call
    const fetch = given.fetch ?? globalThis.fetch
    const headers = { ...authorization, ...typed(call), ...(await call.headers?.()) }
    const request = { method, headers, redirect: 'manual', ...sent(call), ...signalOf(options) }
    const response = await reached(call, () => fetch(`${base}${path}`, request as RequestInit))
    if (response.ok) return response
    throw refusalOf(await whole(response, { ...call, options: signalOf(options) }))
  }
}

const typed = ({ body }: Call) => (body === undefined ? {} : { 'content-type': 'application/json' })

const signalOf = ({ signal }: CallOptions) => (signal === undefined ? {} : { signal })

function sent({ body, options: { onProgress } }: Call): Pick<RequestInit, 'body'> {
  if (body === undefined) return {}
  return onProgress === undefined ? { body } : countedBody(body, onProgress)
}

async function whole(response: Response, call: Call): Promise<Answer> {
  const { status, headers } = response
  // Of a call that sent something, that is what was large.
  const tell = call.body === undefined ? call.options.onProgress : undefined
  const bytes = await reached(call, () => readWhole(response, tell))
  return { status, headers, bytes }
}

/** Does what needs the network, and names its failure. @throws {HeirloomError} */
export async function reached<T>(
  { peer = 'server', method, path, options }: Call,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if (isHeirloomError(cause)) throw cause
    if (options.signal?.aborted) throw aborted(cause)
    throw new HeirloomError({
      code: 'client/unreachable',
      facts: { method, path },
      message: `The ${peer} did not answer ${[method, path].join(' ').trim()}.`,
      retryable: true,
      cause,
    })
  }
}
