import { readWhole } from '../../../src/client/transport/read-whole.ts'
import { unreachable } from '../api/problem.ts'

/** How much of a body is here, in bytes; `total` unless the server does not say. */
export type Loaded = { readonly loaded: number; readonly total: number | undefined }

/**
 * Returns the bytes of a response, and tells how far it has come.
 *
 * @throws {Problem} when the connection breaks
 */
export async function bodyOf(
  response: Response,
  tell: (part: Loaded) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readWhole(response, ({ bytes: loaded, total }) => tell({ loaded, total }))
  } catch (cause) {
    throw unreachable(cause)
  }
}
