import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenOnLoopback } from '../../../packages/http/test/listen-on-loopback.ts'

/** An object store over HTTP with the requests of S3 that an adapter sends, and its objects. */
export type ObjectStore = {
  readonly url: string
  /** The objects by the path of their URL. */
  readonly objects: Map<string, Uint8Array>
  /** Answers requests instead of the store, if it is set and returns true. */
  fault: ObjectFault | undefined
  readonly close: () => Promise<void>
}

/** A fault of a store: returns true if it answers a request, or leaves it without an answer. */
export type ObjectFault = (
  request: IncomingMessage,
  response: ServerResponse,
  stored: Uint8Array | undefined,
) => boolean

type ObjectRequest = {
  readonly name: string
  readonly query: URLSearchParams
  readonly stored: Uint8Array | undefined
  readonly body: Uint8Array
  readonly onlyNew: boolean
}
type ObjectResponse = readonly [status: number, bytes?: Uint8Array | string | undefined]

/** Starts an empty object store on loopback. */
export async function startObjectStore(): Promise<ObjectStore> {
  const objects = new Map<string, Uint8Array>()
  const handlers: Readonly<Record<string, (request: ObjectRequest) => ObjectResponse>> = {
    GET({ name, query, stored }) {
      if (query.has('list-type')) return [200, listing([...objects.keys()], name, query)]
      return stored === undefined ? [404, errorText('NoSuchKey')] : [200, stored]
    },
    HEAD: ({ stored }) => [stored === undefined ? 404 : 200],
    DELETE({ name }) {
      objects.delete(name)
      return [204]
    },
    PUT({ name, stored, body, onlyNew }) {
      if (stored !== undefined && onlyNew) return [412]
      objects.set(name, body)
      return [200]
    },
  }
  const store: Omit<ObjectStore, 'url' | 'close'> = { objects, fault: undefined }
  const server = createServer(async (request, response) => {
    const { method = '', url = '/', headers } = request
    const { pathname: name, searchParams: query } = new URL(url, 'http://store')
    const stored = objects.get(name)
    if (store.fault?.(request, response, stored)) return
    const onlyNew = headers['if-none-match'] === '*'
    const body = await buffer(request)
    const [status, bytes] = handlers[method]?.({ name, query, stored, body, onlyNew }) ?? [405]
    // As every store names what it has stored.
    if (method === 'PUT') response.setHeader('etag', '"stored"')
    if (method === 'HEAD') response.setHeader('content-length', stored?.length ?? 0)
    response.writeHead(status).end(bytes)
  })
  const { url, close } = await listenOnLoopback(server)
  return Object.assign(store, { url: `${url}/memories/`, close })
}

/** Returns the body of an error of S3. */
export const errorText = (code: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`

function listing(paths: readonly string[], bucket: string, query: URLSearchParams): string {
  const root = bucket.replace(/\/?$/, '/')
  const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? '']
  const names = paths
    .map((path) => path.slice(root.length))
    .filter((name) => name.startsWith(prefix) && name > after)
    .toSorted()
    .slice(0, Number(query.get('max-keys') ?? 1000))
  const contents = names.map((name) => `<Contents><Key>${name}</Key></Contents>`).join('')
  return `<?xml version="1.0"?><ListBucketResult>${contents}</ListBucketResult>`
}
