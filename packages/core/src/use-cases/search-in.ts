import { parseSearchPlace } from '../domain/parts/search-cursor.ts'
import { type Found, type SearchBounds, searchDocument } from '../domain/parts/search-document.ts'
import type { Ports } from '../ports/ports.ts'
import { downloadFailures } from './download.ts'
import { openDocument, type PartialRead, type PartSource } from './open-document.ts'

/** The failures of `searchIn`. */
export const searchInFailures = [...downloadFailures, 'part/malformed'] as const

/**
 * Searches the names and string values of a memory for a text, whatever its case.
 *
 * @throws `part/malformed`, and the failures of `download`
 */
export async function searchIn(
  ports: Ports,
  { text, after, limit, each, mostBytes, ...read }: searchIn.Input,
): Promise<searchIn.Output> {
  const place = after === undefined ? undefined : parseSearchPlace(after)
  const { cursor, source } = await openDocument(ports, read)
  return { ...source, ...(await searchDocument(cursor, text, { limit, each, mostBytes, place })) }
}

export declare namespace searchIn {
  type Input = PartialRead &
    SearchBounds & {
      /** The text to find, of at least one character. */
      readonly text: string
      /** The place to go on from: `next` of an earlier answer. */
      readonly after?: string | undefined
    }
  type Output = PartSource & Found
}
