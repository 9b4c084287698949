import { lookup } from 'node:dns/promises'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { nodeHttp } from '../platform/http-transport.ts'
import { hostOf } from './receiver-url.ts'

/** An IP address of a host name. */
export type ResolvedAddress = { readonly address: string; readonly family: number }

/** A request to a receiver. */
export type WebhookRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a request, or throws `Undelivered`. */
export type Send = (request: WebhookRequest, stop: AbortSignal) => Promise<void>

/** Thrown when a request failed; the message gives the reason and quotes nothing of the response. */
export class Undelivered extends Error {
  override readonly name = 'Undelivered'
}

export declare namespace sender {
  type Options = {
    /** Returns whether requests to an IP address are allowed. */
    readonly allows: (address: string) => boolean
    /** The time limit for all response headers of a receiver, in milliseconds. */
    readonly timeout?: number
    /** Resolves a host name to all its addresses; the system's resolver when absent. */
    readonly resolve?: (name: string) => Promise<readonly ResolvedAddress[]>
  }
}

/**
 * Returns a function that sends each request as a POST on its own connection, to an address that was
 * checked. A status from 200 to 299 confirms the delivery. Redirects are not followed: they could
 * lead to a private address.
 */
export function sender({
  allows,
  timeout = 10_000,
  resolve = (name) => lookup(name, { all: true }),
}: sender.Options): Send {
  return async ({ url: text, headers, body }, stop) => {
    const url = new URL(text)
    const timedOut = AbortSignal.timeout(timeout)
    const signal = AbortSignal.any([stop, timedOut])
    try {
      const addresses = await rejectOnAbort(signal, resolveHost(hostOf(url), resolve))
      if (!addresses.every(({ address }) => allows(address))) {
        throw new Undelivered('is not on the public network')
      }
      requireSuccess(await post(url, { headers, signal, lookup: fixedLookup(addresses) }, body))
    } catch (cause) {
      if (timedOut.aborted) throw new Undelivered(`did not answer in ${timeout} ms`, { cause })
      throw toUndelivered(cause)
    }
  }
}

async function resolveHost(
  host: string,
  resolve: NonNullable<sender.Options['resolve']>,
): Promise<readonly ResolvedAddress[]> {
  const family = isIP(host)
  const found = family === 0 ? await resolve(host) : [{ address: host, family }]
  if (found.length === 0) throw new Undelivered('has no address')
  return found
}

// A lookup cannot be aborted, so only the wait for it ends.
function rejectOnAbort<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  return Promise.race([result, promise]).finally(() => signal.removeEventListener('abort', onAbort))
}

/** Returns a lookup that uses the checked addresses: another lookup could return different ones. */
const fixedLookup =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_name, { all }, callback) => {
    const [{ address, family } = { address: '', family: 0 }] = addresses
    if (all === true) callback(null, [...addresses])
    else callback(null, address, family)
  }

function post(url: URL, options: RequestOptions, body: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = { ...options.headers, 'content-length': Buffer.byteLength(body) }
  const request = nodeHttp(url).request(url, { ...options, headers, method: 'POST', agent: false })
  request.on('error', reject)
  request.on('close', () => reject(new Undelivered('closed the connection without an answer')))
  request.on('response', (response) => {
    resolve(response.statusCode ?? 0)
    drain(response)
  })
  request.end(body)
  return promise
}

/** The most bytes of a response body that are read before the connection is closed. */
const maxResponse = 16_384

// The body is ignored, but a short one is read to its end, so that the connection ends cleanly.
function drain(response: IncomingMessage): void {
  let length = 0
  response.on('error', () => undefined)
  response.on('data', (part: Buffer) => {
    length += part.length
    if (length > maxResponse) response.destroy()
  })
}

function requireSuccess(status: number): void {
  if (status < 200 || status > 299) throw new Undelivered(`answered with status ${status}`)
}

function toUndelivered(cause: unknown): Undelivered {
  if (cause instanceof Undelivered) return cause
  const { code } = cause as NodeJS.ErrnoException
  const reason = typeof code === 'string' ? code : 'unknown'
  return new Undelivered(`could not be reached (${reason})`, { cause })
}
