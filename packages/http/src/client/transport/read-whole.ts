import type { Progress } from './counted-body.ts'
import { badResponse } from './decode-response.ts'

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
