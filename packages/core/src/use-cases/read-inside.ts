import type { JsonText } from '../json/json.ts'
import { locate, measureValue, readValue } from '../json/locate.ts'
import {
  type OutlineBounds,
  type Outline as OutlineOfValue,
  outlineOf,
} from '../json/outline-of.ts'
import type { PathQuery } from '../json/path-query.ts'
import { parsePointer } from '../json/pointer.ts'
import { parseSearchPlace } from '../json/search-cursor.ts'
import { type Found, type SearchBounds, searchDocument } from '../json/search-document.ts'
import { type MatchBounds, type Matches, selectValues } from '../json/select-values.ts'
import type { Ports } from '../ports/ports.ts'
import { downloadFailures } from './download.ts'
import { openDocument, type PartialRead, type PartSource } from './open-document.ts'

/** The failures of `part`. */
export const partFailures = [...downloadFailures, 'part/malformed', 'part/not-found'] as const

/**
 * Reads the value at a JSON Pointer in a memory, as its exact text. Opens only the pieces that it
 * needs. A name that an object has more than once names no value (RFC 6901 §4).
 *
 * @throws `part/malformed`, `part/not-found`, and the failures of `download`
 */
export async function part(
  ports: Ports,
  { pointer, beforeReading, ...read }: part.Input,
): Promise<part.Output> {
  const tokens = parsePointer(pointer)
  const { cursor, source } = await openDocument(ports, read)
  await locate(cursor, tokens)
  const place = await measureValue(cursor)
  await beforeReading?.(place.length)
  return { ...source, text: (await readValue(cursor, place)) as JsonText }
}

export declare namespace part {
  type Input = PartialRead & {
    readonly pointer: string
    /** Runs when the length of the text in bytes is known, before it is read; may throw. */
    readonly beforeReading?: ((length: number) => Promise<void>) | undefined
  }
  type Output = PartSource & {
    /** The exact bytes of the value. */
    readonly text: JsonText
  }
}

/** The failures of `outline`. */
export const outlineFailures = [...downloadFailures, 'part/malformed', 'part/not-found'] as const

/**
 * Describes the value at a JSON Pointer in a memory and what is below it: types, sizes and counts,
 * level by level. Opens only the pieces that it needs.
 *
 * @throws `part/malformed`, `part/not-found`, and the failures of `download`
 */
export async function outline(
  ports: Ports,
  { pointer, depth, width, from, ...read }: outline.Input,
): Promise<outline.Output> {
  const tokens = parsePointer(pointer)
  const { cursor, source } = await openDocument(ports, read)
  await locate(cursor, tokens)
  return { ...source, outline: await outlineOf(cursor, tokens, { depth, width, from }) }
}

export declare namespace outline {
  type Input = PartialRead & OutlineBounds & { readonly pointer: string }
  type Output = PartSource & { readonly outline: OutlineOfValue }
}

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
