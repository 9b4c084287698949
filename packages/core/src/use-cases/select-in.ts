import type { PathQuery } from '../domain/parts/path-query.ts'
import { type MatchBounds, type Matches, selectValues } from '../domain/parts/select-values.ts'
import type { Ports } from '../ports/ports.ts'
import { downloadFailures } from './download.ts'
import { openDocument, type PartialRead, type PartSource } from './open-document.ts'

/** The failures of `selectIn`. */
export const selectInFailures = [...downloadFailures, 'part/malformed', 'part/too-costly'] as const

/**
 * Selects values of a memory by a JSONPath (RFC 9535), each with its exact text. Opens only the
 * pieces that it needs. An object that has a name more than once has no member of that name.
 *
 * @throws `part/malformed`, `part/too-costly`, and the failures of `download`
 */
export async function selectIn(
  ports: Ports,
  { query, limit, room, stretchBytes, mostBytes, after, beforeReading, ...read }: selectIn.Input,
): Promise<selectIn.Output> {
  const { cursor, source } = await openDocument(ports, read)
  const bounds = { limit, room, stretchBytes, mostBytes, after, beforeReading }
  return { ...source, ...(await selectValues(cursor, query, bounds)) }
}

export declare namespace selectIn {
  type Input = PartialRead & MatchBounds & { readonly query: PathQuery }
  type Output = PartSource & Matches
}
