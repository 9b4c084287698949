import { unreachable } from '../api/problem.ts'

/** How much of a body is here, in bytes; `total` unless the server does not say. */
export type Loaded = { readonly loaded: number; readonly total: number | undefined }

/**
 * Returns the bytes of a response, and tells how far it has come.
 *
 * @throws {Problem} when the connection breaks
 */
export async function bodyOf(
  { body, headers }: Response,
  tell: (part: Loaded) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = headers.get('content-length')
  const total = length === null ? undefined : Number(length)
  const chunks: Uint8Array[] = []
  let loaded = 0
  const reader = body?.getReader()
  const next = async () => (await reader?.read().catch(broken))?.value
  for (let chunk = await next(); chunk !== undefined; chunk = await next()) {
    chunks.push(chunk)
    loaded += chunk.length
    tell({ loaded, total })
  }
  const bytes = new Uint8Array(loaded)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

function broken(cause: unknown): never {
  throw unreachable(cause)
}
