import { readWhole } from '../../../src/client/transport/read-whole.ts'
import { unreachable } from '../api/problem.ts'

/** The loaded bytes of a body; `total` is absent if the server does not send it. */
export type LoadedBytes = { readonly loaded: number; readonly total: number | undefined }

/**
 * Reads the bytes of a response, and reports the progress.
 *
 * @throws {Problem} when the connection breaks
 */
export async function readBody(
  response: Response,
  onProgress: (part: LoadedBytes) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readWhole(response, ({ bytes: loaded, total }) => onProgress({ loaded, total }))
  } catch (cause) {
    throw unreachable(cause)
  }
}
