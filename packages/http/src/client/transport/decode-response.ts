import type { FailureCode } from '@heirloom/core'
import { type FactsOf, HeirloomError } from '../heirloom-error.ts'

/** A response with its body read. */
export type ReceivedResponse = {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * Decodes the JSON object of a successful response.
 *
 * @throws `client/bad-answer`
 */
export function decodeResponse<T extends object>({
  status,
  bytes,
}: Pick<ReceivedResponse, 'status' | 'bytes'>): T {
  const text = new TextDecoder().decode(bytes)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as T
  } catch (cause) {
    throw badResponse('it is not JSON', { status, cause })
  }
  throw badResponse('it is not a JSON object', { status })
}

/** Decodes the error of a failed response. */
export function decodeFailure(response: ReceivedResponse): HeirloomError {
  const { status, headers } = response
  const retryAfter = headers.get('retry-after') ?? undefined
  const type = headers.get('content-type') ?? ''
  const isProblem = type.startsWith('application/problem+json')
  const problem = isProblem ? decodeResponse<Problem>(response) : undefined
  // A proxy may also answer with a problem document, but without a code.
  if (typeof problem?.code !== 'string')
    return badResponse(describeStatus(status), { status, retryAfter })
  return new HeirloomError({
    code: problem.code,
    facts: problem.facts,
    message: problem.detail,
    status,
    retryable: problem.retryable,
    retryAfter,
  })
}

type Problem = {
  readonly code?: FailureCode
  readonly facts: FactsOf<FailureCode>
  readonly detail: string
  readonly retryable: boolean
}

const describeStatus = (status: number): string =>
  // A browser hides redirects; it reports the status 0.
  status === 0 || (status >= 300 && status < 400)
    ? 'it is a redirect; use the url it redirects to'
    : `it has the status ${status} and no failure code`

type Details = {
  readonly status?: number
  readonly retryAfter?: string | undefined
  readonly cause?: unknown
}

/** Returns the error of a response that is not of this API. */
export function badResponse(problem: string, details: Details = {}): HeirloomError {
  return new HeirloomError({
    code: 'client/bad-answer',
    facts: { problem },
    message: `The response is not valid: ${problem}.`,
    ...details,
  })
}

/** The progress of the transfer of a memory. */
export type Progress = {
  readonly phase: 'upload' | 'download'
  /** The bytes transferred so far. */
  readonly bytes: number
  /** The total of bytes, if known. */
  readonly total?: number
}

/** The bytes of one chunk. */
const chunkSize = 65_536

/** Browsers upload streams over HTTP/2 only, and some not at all. */
const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis

/**
 * Returns a request body that reports its progress: a stream that counts the bytes the network
 * takes. In a browser, which cannot send a stream, only the start is reported.
 */
export function countedBody(
  bytes: Uint8Array<ArrayBuffer>,
  onProgress: (progress: Progress) => void,
): Pick<RequestInit, 'body'> {
  const total = bytes.length
  onProgress({ phase: 'upload', bytes: 0, total })
  if (isBrowser) return { body: bytes }
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const end = Math.min(sent + chunkSize, total)
        controller.enqueue(bytes.subarray(sent, end))
        sent = end
        onProgress({ phase: 'upload', bytes: sent, total })
        if (sent === total) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { body, duplex: 'half' } as Pick<RequestInit, 'body'>
}

/** The most bytes of a memory, which no server may exceed. */
export const mostOfMemory = 2 ** 30

/** The most bytes of any other body: a lineage of full cards has less. */
const mostOfOthers = 2 ** 26

/**
 * Reads a response body to its end, and reports the progress.
 *
 * @throws `client/bad-answer` for a longer one, whose rest is not read
 */
export async function readWhole(
  { body, headers }: Response,
  onProgress: (progress: Progress) => void = () => undefined,
  most = mostOfOthers,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = headers.get('content-length')
  // The length of a compressed body is not the length of its content.
  const isUncompressed = headers.get('content-encoding') === null
  const total = length !== null && isUncompressed ? { total: Number(length) } : {}
  const parts: Uint8Array[] = []
  let bytes = 0
  const reader = body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    parts.push(part.value)
    bytes += part.value.length
    if (bytes > most) {
      reader?.cancel()
      throw badResponse('it is too long')
    }
    onProgress({ phase: 'download', bytes, ...total })
  }
  return concatBytes(parts)
}

/** Concatenates byte arrays. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
