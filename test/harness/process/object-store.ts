import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenOnLoopback } from '../../../packages/http/test/listen-on-loopback.ts'

/** A store of objects over HTTP, with the conditional requests of S3, and what it holds. */
export type ObjectStore = {
  readonly url: string
  readonly objects: Map<string, Uint8Array>
  readonly close: () => Promise<void>
}

type Asked = {
  readonly name: string
  readonly known: Uint8Array | undefined
  readonly body: Uint8Array
  readonly onlyNew: boolean
}
type Answer = readonly [status: number, bytes?: Uint8Array | undefined]

/** Starts an empty store of objects on this machine. */
export async function startObjectStore(): Promise<ObjectStore> {
  const objects = new Map<string, Uint8Array>()
  const answers: Readonly<Record<string, (request: Asked) => Answer>> = {
    GET: ({ known }) => [known === undefined ? 404 : 200, known],
    DELETE: ({ name }) => [objects.delete(name) ? 204 : 404],
    PUT({ name, known, body, onlyNew }) {
      if (known !== undefined && onlyNew) return [412]
      objects.set(name, body)
      return [200]
    },
  }
  const server = createServer(async (request, response) => {
    const { method = '', url: name = '/', headers } = request
    const onlyNew = headers['if-none-match'] === '*'
    const body = await buffer(request)
    const answer = answers[method]
    const [status, bytes] = answer?.({ name, known: objects.get(name), body, onlyNew }) ?? [405]
    response.writeHead(status).end(bytes)
  })
  const { url, close } = await listenOnLoopback(server)
  return { url: `${url}/memories/`, objects, close }
}
