import type { DocumentCursor } from '../json/document-cursor.ts'
import type { JsonText } from '../json/json.ts'
import { locate, measureValue, readValue } from '../json/locate.ts'
import {
  type OutlineBounds,
  type Outline as OutlineOfValue,
  outlineOf,
} from '../json/outline-of.ts'
import type { PathQuery } from '../json/path-query.ts'
import { parsePointer } from '../json/pointer.ts'
import { parseSearchPlace, type SearchPlace } from '../json/search-cursor.ts'
import { type DocumentMatch, type SearchBounds, searchDocument } from '../json/search-document.ts'
import { type MatchBounds, type Matches, selectValues } from '../json/select-values.ts'
import type { Ports } from '../ports/ports.ts'
import type {
  Answer,
  Answered,
  Misspelt,
  Question,
  WordStatistics,
} from '../recall/answer-question.ts'
import type { Digest } from '../values/branded.ts'
import { requireRight } from './admit-reader.ts'
import { downloadFailures } from './download.ts'
import {
  type OpenedDocument,
  openDocument,
  type PartialRead,
  type PartSource,
} from './open-document.ts'

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
  return openDocument(ports, { ...read, scope: 'part' }, async ({ cursor, source }) => {
    await locate(cursor, tokens)
    const place = await measureValue(cursor)
    await beforeReading?.(place.length)
    return { ...source, text: (await readValue(cursor, place)) as JsonText }
  })
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
  return openDocument(ports, { ...read, scope: 'part' }, async ({ cursor, source }) => {
    await locate(cursor, tokens)
    return { ...source, outline: await outlineOf(cursor, tokens, { depth, width, from }) }
  })
}

export declare namespace outline {
  type Input = PartialRead & OutlineBounds & { readonly pointer: string }
  type Output = PartSource & { readonly outline: OutlineOfValue }
}

/** The failures of `searchIn`. */
export const searchInFailures = [...downloadFailures, 'part/malformed'] as const

/**
 * Searches the names and string values of a memory for a text, whatever its case. With `each` as
 * `item` the text is a question: the items of the memory that answer it best come, at most `limit`.
 *
 * @throws `part/malformed`, and the failures of `download`
 */
export async function searchIn(ports: Ports, input: searchIn.Input): Promise<searchIn.Output> {
  const { after } = input
  const place = after === undefined ? undefined : parseSearchPlace(after)
  return openDocument(ports, { ...input, scope: 'search' }, (opened) =>
    searchOpened(ports, opened, { ...input, place }),
  )
}

type Searching = searchIn.Input & { readonly place: SearchPlace | undefined }

async function searchOpened(
  ports: Ports,
  opened: OpenedDocument,
  { place, ...input }: Searching,
): Promise<searchIn.Output> {
  const { text, limit, each, mostBytes, answer } = input
  const { cursor, source } = opened
  const bounds = { limit, mostBytes, place }
  if (each !== 'item')
    return { ...source, ...(await searchDocument(cursor, text, { ...bounds, each })) }
  const phrase = phraseIn(text)
  const isQuestion = phrase === undefined && place === undefined && answer !== undefined
  const answered = isQuestion ? await askDocument(ports, opened, { ...input, answer }) : undefined
  if (answered !== undefined && answered.answers.length > 0)
    return { ...source, ...asFound(answered) }
  const asItStands = phrase ?? text
  const found = await searchDocument(cursor, asItStands, { ...bounds, each: 'place' })
  const isTooLarge = isQuestion && answered === undefined
  return { ...source, ...found, ...hintOf(answered), ...(isTooLarge && { isTooLarge }) }
}

const hintOf = ({ misspelt = [] }: Partial<Answered> = {}): Pick<Found, 'misspelt'> =>
  misspelt.length === 0 ? {} : { misspelt }

type ItemSearch = searchIn.Input & { readonly answer: Answering }

/** Answers a question from a memory that was opened, for one who may still read it then. */
async function askDocument(
  ports: Ports,
  { cursor, source }: OpenedDocument,
  { text, limit, answer, beforeReading, tokenId, proof, right }: ItemSearch,
): Promise<Answered | undefined> {
  let wasRead = false
  const read = () => {
    wasRead = true
    return readDocument(cursor, beforeReading)
  }
  const memory = { digest: source.digest, length: source.documentLength, read }
  const answered = await answer(memory, { question: text, most: limit, now: ports.clock.now() })
  // A rental may have ended, the token been sold, or the memory erased while it was read.
  await requireRight(ports, { tokenId, account: proof.account, right })
  if (wasRead) await ports.blobStore.head(source.digest)
  return answered
}

/** Returns the text between the quote marks of a question that is nothing else. */
const phraseIn = (question: string): string | undefined =>
  /^\s*["“„«](.+)["”“»]\s*$/su.exec(question)?.[1]

async function readDocument(
  { reader, segments, pace }: DocumentCursor,
  beforeReading: searchIn.Input['beforeReading'],
): Promise<Uint8Array<ArrayBuffer>> {
  await beforeReading?.(reader.length)
  const document = new Uint8Array(reader.length)
  for (const [index, { offset, length }] of segments.entries()) {
    await pace(length)
    document.set(await reader.read(index), offset)
  }
  return document
}

function asFound({ answers, statistics, misspelt }: Answered): Found {
  const matches = answers.map(({ pointer, offset, text, ...item }) => ({
    ...(pointer !== undefined && { pointer }),
    in: 'value' as const,
    offset,
    before: '',
    match: text,
    after: '',
    item,
  }))
  return { matches, statistics, ...hintOf({ misspelt }) }
}

/** A match of a search inside a memory; of a question, with what is known of the item. */
export type FoundMatch = DocumentMatch & {
  readonly item?: Omit<Answer, 'pointer' | 'offset' | 'text'>
}

/** The matches of a search inside a memory. */
export type Found = {
  readonly matches: readonly FoundMatch[]
  /** The place to go on from; absent at the end of the document, and for answers to a question. */
  readonly next?: string
  /** The words of a question, by which the answers of several memories are compared. */
  readonly statistics?: WordStatistics
  /** The words of a question that no item has, where one looks like them. */
  readonly misspelt?: readonly Misspelt[]
  /** Whether the memory is beyond the bounds of an index: its question was looked for as it stands. */
  readonly isTooLarge?: true
}

export declare namespace searchIn {
  type Input = PartialRead &
    Omit<SearchBounds, 'each'> & {
      /** The text to find, or the question, of at least one character. */
      readonly text: string
      readonly each?: 'item' | SearchBounds['each']
      /** The place to go on from: `next` of an earlier answer. */
      readonly after?: string | undefined
      /** Answers questions; without it the text of a question is searched for as it stands. */
      readonly answer?: Answering | undefined
      /** Runs before all of the document is read for an index; may throw to refuse. */
      readonly beforeReading?: ((length: number) => Promise<void>) | undefined
    }
  type Output = PartSource & Found
}

/** A memory that a question is asked of. */
export type SearchedMemory = {
  readonly digest: Digest
  /** The length of its document in bytes. */
  readonly length: number
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>
}

/**
 * Answers a question from a memory, which it reads if it has no index of it; `undefined` where it
 * makes none of such a memory.
 */
export type Answering = (
  memory: SearchedMemory,
  question: Question,
) => Promise<Answered | undefined>

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
  const bounds = { limit, room, stretchBytes, mostBytes, after, beforeReading }
  return openDocument(ports, { ...read, scope: 'part' }, async ({ cursor, source }) => ({
    ...source,
    ...(await selectValues(cursor, query, bounds)),
  }))
}

export declare namespace selectIn {
  type Input = PartialRead & MatchBounds & { readonly query: PathQuery }
  type Output = PartSource & Matches
}
