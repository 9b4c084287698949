import type { Minted } from '../../../src/client/responses.ts'
import { unreachable } from '../api/problem.ts'
import { refusal } from '../api/to-response-problem.ts'

/** How much of a body has left, of 1; the server works on it once all has. */
export type Tell = (share: number) => void

type Upload = {
  readonly body: string
  /** The same for every try, so that the memory is made once. */
  readonly key: string
  readonly apiKey: string
}

/**
 * Has the server seal a memory and mint its token.
 *
 * @throws {Problem} when it refuses, or does not answer
 */
export function upload({ body, key, apiKey }: Upload, tell: Tell): Promise<Minted> {
  // Only this way of asking tells how much has been sent.
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => tell(total === 0 ? 1 : loaded / total)
    request.upload.onload = () => tell(1)
    request.onerror = () => reject(unreachable())
    request.onload = () => {
      if (request.status === 201) resolve(JSON.parse(request.responseText) as Minted)
      else reject(refusalIn(request))
    }
    request.open('POST', '/api/memory/snapshot')
    request.setRequestHeader('content-type', 'application/json')
    request.setRequestHeader('idempotency-key', key)
    if (apiKey !== '') request.setRequestHeader('authorization', `Bearer ${apiKey}`)
    request.send(body)
  })
}

const refusalIn = (request: XMLHttpRequest) =>
  refusal({
    status: request.status,
    body: request.responseText,
    retryAfter: request.getResponseHeader('retry-after'),
  })
