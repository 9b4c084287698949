import { lookup } from 'node:dns/promises'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { nodeHttp } from '../platform/node-http.ts'
import { hostOf } from './receiver-url.ts'

/** An address that a name stands for. */
export type Resolved = { readonly address: string; readonly family: number }

/** A message for a receiver. */
export type Message = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Delivers a message, or throws `Undelivered`. */
export type Send = (message: Message, stop: AbortSignal) => Promise<void>

/** Thrown when a receiver did not take a message; the text says why and quotes nothing of it. */
export class Undelivered extends Error {
  override readonly name = 'Undelivered'
}

export declare namespace sender {
  type Options = {
    /** Tells whether anything may be sent to an address. */
    readonly allows: (address: string) => boolean
    /** How long a receiver may take for all of its answer's head, in milliseconds. */
    readonly timeout?: number
    /** Returns every address of a name; the system's resolver when absent. */
    readonly resolve?: (name: string) => Promise<readonly Resolved[]>
  }
}

/**
 * Returns how messages are sent: a POST on a connection of its own, to an address that was looked
 * at. A receiver takes a message by answering with a status from 200 to 299; redirects are not
 * followed, for they could lead anywhere.
 */
export function sender({
  allows,
  timeout = 10_000,
  resolve = (name) => lookup(name, { all: true }),
}: sender.Options): Send {
  return async ({ url: text, headers, body }, stop) => {
    const url = new URL(text)
    const late = AbortSignal.timeout(timeout)
    const signal = AbortSignal.any([stop, late])
    try {
      const known = await within(signal, addressesOf(hostOf(url), resolve))
      if (!known.every(({ address }) => allows(address))) {
        throw new Undelivered('is not on the public network')
      }
      judge(await posted(url, { headers, signal, lookup: answering(known) }, body))
    } catch (cause) {
      if (late.aborted) throw new Undelivered(`did not answer in ${timeout} ms`, { cause })
      throw undelivered(cause)
    }
  }
}

async function addressesOf(
  host: string,
  resolve: NonNullable<sender.Options['resolve']>,
): Promise<readonly Resolved[]> {
  const family = isIP(host)
  const found = family === 0 ? await resolve(host) : [{ address: host, family }]
  if (found.length === 0) throw new Undelivered('has no address')
  return found
}

// A resolver cannot be told to stop, but nobody needs to wait for it.
function within<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const give = () => reject(signal.reason)
  signal.addEventListener('abort', give, { once: true })
  return Promise.race([answer, promise]).finally(() => signal.removeEventListener('abort', give))
}

/** Resolves every name to addresses that are known: a second look could give others. */
const answering =
  (known: readonly Resolved[]): LookupFunction =>
  (_name, { all }, tell) => {
    const [{ address, family } = { address: '', family: 0 }] = known
    if (all === true) tell(null, [...known])
    else tell(null, address, family)
  }

function posted(url: URL, options: RequestOptions, body: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = { ...options.headers, 'content-length': Buffer.byteLength(body) }
  const asking = nodeHttp(url).request(url, { ...options, headers, method: 'POST', agent: false })
  asking.on('error', reject)
  asking.on('close', () => reject(new Undelivered('closed the connection without an answer')))
  asking.on('response', (response) => {
    resolve(response.statusCode ?? 0)
    drain(response)
  })
  asking.end(body)
  return promise
}

/** How much of an answer's body is taken in before its receiver is cut off, in bytes. */
const longestAnswer = 16_384

// Nothing in it matters, but a receiver that sends a little deserves an orderly end.
function drain(response: IncomingMessage): void {
  let length = 0
  response.on('error', () => undefined)
  response.on('data', (part: Buffer) => {
    length += part.length
    if (length > longestAnswer) response.destroy()
  })
}

function judge(status: number): void {
  if (status < 200 || status > 299) throw new Undelivered(`answered with status ${status}`)
}

function undelivered(cause: unknown): Undelivered {
  if (cause instanceof Undelivered) return cause
  const { code } = cause as NodeJS.ErrnoException
  const why = typeof code === 'string' ? code : 'unknown'
  return new Undelivered(`could not be reached (${why})`, { cause })
}
