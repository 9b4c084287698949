import { unreachable } from '../api/problem.ts'

/** The loaded bytes of a body; `total` is absent if the server does not send it. */
export type LoadedBytes = { readonly loaded: number; readonly total: number | undefined }

/** The bytes that are joined at once: the browser keeps what is joined outside the page. */
const pieceSize = 2 ** 20

/**
 * Reads the bytes of a response, and reports the progress. No step is long, however many bytes
 * there are.
 *
 * @throws {Problem} when the connection breaks
 */
export async function readBody(
  { body, headers }: Response,
  onProgress: (part: LoadedBytes) => void,
): Promise<Blob> {
  const length = headers.get('content-length')
  // The length of a compressed body is not the length of its content.
  const isUncompressed = headers.get('content-encoding') === null
  const total = length !== null && isUncompressed ? Number(length) : undefined
  const pieces: Blob[] = []
  let [parts, waiting, loaded] = [[] as BlobPart[], 0, 0]
  const join = () => {
    pieces.push(new Blob(parts))
    ;[parts, waiting] = [[], 0]
  }
  try {
    const reader = body?.getReader()
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      parts.push(part.value)
      waiting += part.value.length
      loaded += part.value.length
      if (waiting >= pieceSize) join()
      onProgress({ loaded, total })
    }
  } catch (cause) {
    throw unreachable(cause)
  }
  join()
  return new Blob(pieces, { type: 'application/json' })
}
