import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenOnLoopback } from '../../../packages/http/test/listen-on-loopback.ts'

/** An object store over HTTP with the conditional requests of S3, and its objects. */
export type ObjectStore = {
  readonly url: string
  readonly objects: Map<string, Uint8Array>
  readonly close: () => Promise<void>
}

type ObjectRequest = {
  readonly name: string
  readonly stored: Uint8Array | undefined
  readonly body: Uint8Array
  readonly onlyNew: boolean
}
type ObjectResponse = readonly [status: number, bytes?: Uint8Array | undefined]

/** Starts an empty object store on loopback. */
export async function startObjectStore(): Promise<ObjectStore> {
  const objects = new Map<string, Uint8Array>()
  const handlers: Readonly<Record<string, (request: ObjectRequest) => ObjectResponse>> = {
    GET: ({ stored }) => [stored === undefined ? 404 : 200, stored],
    DELETE: ({ name }) => [objects.delete(name) ? 204 : 404],
    PUT({ name, stored, body, onlyNew }) {
      if (stored !== undefined && onlyNew) return [412]
      objects.set(name, body)
      return [200]
    },
  }
  const server = createServer(async (request, response) => {
    const { method = '', url: name = '/', headers } = request
    const onlyNew = headers['if-none-match'] === '*'
    const body = await buffer(request)
    const handler = handlers[method]
    const [status, bytes] = handler?.({ name, stored: objects.get(name), body, onlyNew }) ?? [405]
    response.writeHead(status).end(bytes)
  })
  const { url, close } = await listenOnLoopback(server)
  return { url: `${url}/memories/`, objects, close }
}
