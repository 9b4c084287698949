import { unreachable } from '../api/problem.ts'
import { toResponseProblem } from '../api/to-response-problem.ts'

/** Receives the share of a body that is sent, from 0 to 1. */
export type OnProgress = (share: number) => void

type Upload = {
  readonly path: string
  readonly body: Blob | Uint8Array<ArrayBuffer>
  /** The idempotency key, the same for every try. */
  readonly key: string
  readonly apiKey: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Uploads a memory, and returns the response of the server.
 *
 * @throws {Problem} when the server refuses, or does not answer
 */
export function upload<T>(
  { path, body, key, apiKey, headers = {} }: Upload,
  onProgress: OnProgress,
): Promise<T> {
  // Unlike fetch, XMLHttpRequest reports the progress of an upload.
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.upload.onload = () => onProgress(1)
    request.onerror = () => reject(unreachable())
    request.onload = () => {
      if (request.status === 201) resolve(JSON.parse(request.responseText) as T)
      else reject(refusalIn(request))
    }
    request.open('POST', path)
    request.setRequestHeader('content-type', 'application/json')
    request.setRequestHeader('idempotency-key', key)
    if (apiKey !== '') request.setRequestHeader('authorization', `Bearer ${apiKey}`)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send(body)
  })
}

const refusalIn = (request: XMLHttpRequest) =>
  toResponseProblem({
    status: request.status,
    body: request.responseText,
    retryAfter: request.getResponseHeader('retry-after'),
  })
