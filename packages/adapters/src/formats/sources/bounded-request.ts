import { isFailure } from '@heirloom/core'
import { inputLimits, throwMalformed } from '../source-file.ts'
import { unreachable } from './read-source.ts'

/** A live server: where it is, and the secret that it asks for. */
export type LiveServer = {
  readonly url: string
  readonly apiKey?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** The longest wait for one answer of a live server, in milliseconds. */
const patience = 60_000

export declare namespace requestBytes {
  type Options = {
    readonly server: LiveServer
    /** The path and the query, below the address of the server. */
    readonly path: string
    readonly init: RequestInit
    /** The most bytes of the answer; those of a memory when absent. */
    readonly most?: number
  }
}

/**
 * Requests a live server of another program, and returns the bytes of its answer. Follows no
 * redirect, because the key is for this server alone; sends no key without encryption but on this
 * machine; and waits for a minute and 64 MiB at most.
 *
 * @throws `import/malformed`, `import/unreachable`
 */
export async function requestBytes(options: requestBytes.Options): Promise<Uint8Array> {
  const bytes = await requestIfThere(options)
  return bytes ?? throwMalformed(subjectOf(options), 'it knows no such agent or address (404)')
}

/** Requests the same; returns `undefined` where the server knows no such address (404). */
export async function requestIfThere(
  options: requestBytes.Options,
): Promise<Uint8Array | undefined> {
  const { server, path, init, most = inputLimits.bytes } = options
  const address = new URL(`${addressOf(server)}${path}`)
  const subject = subjectOf(options)
  const limit = AbortSignal.timeout(patience)
  const signal = server.signal === undefined ? limit : AbortSignal.any([limit, server.signal])
  try {
    const response = await fetch(address, { ...init, redirect: 'manual', signal })
    if (response.status === 404) return undefined
    requireSuccess(subject, response)
    return await readBounded(response, most, subject)
  } catch (error) {
    if (isFailure(error) || server.signal?.aborted) throw error
    throw unreachable(subject, error)
  }
}

const subjectOf = ({ server }: requestBytes.Options) =>
  `The server ${new URL(addressOf(server)).origin}`

function addressOf({ url, apiKey }: LiveServer): string {
  const address = URL.canParse(url) ? new URL(url) : throwMalformed('The address', 'it is no URL')
  const { protocol, hostname, username, password } = address
  if (username !== '' || password !== '') {
    throwMalformed('The address', 'it has a name or password; set the API key instead')
  }
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'http:' && apiKey !== undefined && !isHere) {
    throwMalformed('The address', 'it is not encrypted (http:), so the API key is not sent there')
  }
  if (protocol !== 'https:' && protocol !== 'http:') {
    throwMalformed('The address', 'it is neither http: nor https:')
  }
  return address.href.replace(/[?#].*$/, '').replace(/\/+$/, '')
}

function requireSuccess(subject: string, response: Response): void {
  const { status } = response
  if (status >= 300 && status < 400) {
    throwMalformed(subject, 'it redirects to another address; name the address where it answers')
  }
  if (status === 401 || status === 403)
    throwMalformed(subject, `it refuses the API key (${status})`)
  if (!response.ok) throwMalformed(subject, `it answered ${status}`)
}

async function readBounded(response: Response, most: number, subject: string) {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    length += piece.length
    // Ending the loop cancels the answer.
    if (length > most) throwMalformed(subject, `its answer has more than ${most} bytes`)
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}
