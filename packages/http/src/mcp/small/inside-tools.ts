import { Type } from '@sinclair/typebox'
import { searchNote } from '../../api/nearest-name.ts'
import { SearchText } from '../../api/schemas/part-schemas.ts'
import type { Client } from '../../client/client.ts'
import type { FoundInMemory, MemoryOutline, OutlinedValue } from '../../client/responses.ts'
import { findItems } from '../find-items.ts'
import { flaggedArgument, guardObject, guardText, withGuard } from '../guard.ts'
import { partFrom } from '../tools/open-memory.ts'
import { afterArgument, limitArgument } from '../tools/pages.ts'
import { smallTool } from '../tools/tool.ts'
import { argumentsSchema } from '../tools/tool-schemas.ts'
import { findToken, GrantArgument, MemoryArgument, sessionBy } from './memory-argument.ts'

type Match = FoundInMemory['matches'][number]

/** Returns a match with the text around it, and all that it says joined, to be scanned as one text. */
export const describeMatch = ({ pointer, in: where, before, match, after, item }: Match) => {
  const text = `${before}${match}${after}`.toWellFormed()
  return {
    at: pointer ?? null,
    ...(where === 'name' && { in: 'name' }),
    who: item?.who,
    when: item?.when,
    text,
    outdated: item?.isOutdated,
    near: item?.near?.map((it) => it.text),
    ...(item !== undefined && { joined: joinedText([item.who, text]) }),
  }
}

/** Returns texts without what stands between the strings of an item: an order may lie over several. */
const joinedText = (texts: readonly (string | undefined)[]): string =>
  texts
    .filter((it) => it !== undefined)
    .map((it) => it.replaceAll(/(^|; )[^;:]{0,60}: |, | \d+(?= )/g, ' ').trim())
    .join(' ')

/** A described match after it was guarded. */
export type GuardedMatch = { readonly joined?: string; readonly text: string }

/** Returns a match without its joined texts; held back where those are. */
export function withoutJoined({ joined, ...shown }: GuardedMatch): object {
  if (joined === undefined || !joined.startsWith(heldMark)) return shown
  return { ...shown, who: undefined, near: undefined, text: joined }
}

/** The beginning of what stands in the place of a text that is held back. */
const heldMark = '(held back'

/** Returns the matches of a search inside a memory as JSON. */
function foundText({ matches, next, ...hints }: FoundInMemory): string {
  const none =
    matches.length === 0 && next === undefined ? 'Nothing found: try other words.' : undefined
  const note = searchNote(hints) ?? none
  return JSON.stringify({ matches: matches.map(describeMatch), note, next })
}

/** Returns an outline as lines, one for each value, with pointers as JSON strings. */
export function outlineText(outline: MemoryOutline): string {
  return linesOf(outline as OutlinedValue, '').join('\n')
}

// A pointer is written by the writer of the memory: as a JSON string it cannot be taken for a line.
function linesOf(value: OutlinedValue, at: string): string[] {
  const { pointer, type, bytes, count, members = [], next } = value
  const line = `${JSON.stringify(pointer ?? null)} ${type}${countText(type, count)}, ${bytes} bytes`
  const more =
    next === undefined ? [] : [`(more below ${JSON.stringify(pointer ?? at)}: after ${next})`]
  const inside = (members as readonly OutlinedValue[]).flatMap((it) => linesOf(it, pointer ?? at))
  return [line, ...inside, ...more]
}

const countText = (type: string, count: number | undefined): string =>
  count === undefined ? '' : ` of ${count} ${type === 'array' ? 'items' : 'members'}`

/** The most characters of a memory in one result for a small context. */
export const mostSmallCharacters = 8000

type Calls = Pick<Client, 'outline' | 'part' | 'selectIn' | 'scan' | 'isOwn'>
type Place = {
  readonly tokenId: string
  readonly at: string
  readonly after: string | undefined
  /** Whether to return what is held back in the memory of another. */
  readonly flagged: boolean | undefined
}
type Options = { readonly signal: AbortSignal }

/** Reads a value at a pointer, or the values that a path selects, as exact JSON. */
async function readPart(client: Calls, place: Place, options: Options): Promise<string> {
  if (place.after !== undefined && !place.at.startsWith('$')) {
    return readLong(client, place, options)
  }
  const read = place.at.startsWith('$') ? readPath : readValue
  return guardObject(client, await read(client, place, options), { ...place, ...options })
}

async function readValue(client: Calls, { tokenId, at }: Place, options: Options): Promise<string> {
  const query = { pointer: at, depth: 0 }
  const { type, bytes, count } = await client.outline(tokenId, query, options)
  if (bytes > mostSmallCharacters) {
    const note =
      'Too long for one result. See outline, or search_in; or pass after: 0 for its text in parts.'
    return JSON.stringify({ at, type, bytes, count, note })
  }
  const { text } = await client.part(tokenId, at, options)
  return `{"at":${JSON.stringify(at)},"value":${decode(text)}}`
}

/** Reads a part of the text of a long value. */
async function readLong(client: Calls, place: Place, options: Options) {
  const { tokenId, at, after } = place
  const { text: whole } = await client.part(tokenId, at, options)
  // The whole is guarded, so that nothing slips through between two parts of it.
  const { text, guard } = await guardText(client, decode(whole), { ...place, ...options })
  const part = partFrom(text, Number(after) || 0, mostSmallCharacters)
  const result = { at, text: part.text, next: part.next ?? undefined }
  return withGuard(JSON.stringify(result), guard)
}

const decode = (text: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(text)

/** Reads the values that a path selects, as long as they fit; of the others it says where they are. */
async function readPath(client: Calls, { tokenId, at, after }: Place, options: Options) {
  const { matches, next } = await client.selectIn(tokenId, at, { limit: 20, after }, options)
  let room = mostSmallCharacters
  const shown = matches.map(({ pointer = null, text, bytes }) => {
    const place = JSON.stringify(pointer)
    if (text === undefined || text.length > room) return `{"at":${place},"bytes":${bytes}}`
    room -= text.length
    return `{"at":${place},"value":${exact(text)}}`
  })
  const more = next === undefined ? '' : `,"next":${JSON.stringify(next)}`
  return `{"matches":[${shown.join(',')}]${more}}`
}

// The text of a value stands in the result as it is, so it must be JSON and nothing more.
function exact(text: string): string {
  JSON.parse(text)
  return text
}

const reading = { reach: 'owner', effect: 'reads' } as const

/** The tools that read inside one memory. */
export const insideTools = [
  smallTool({
    ...reading,
    name: 'outline',
    title: 'See what is in a memory',
    description: 'Lists pointers, types and sizes in a memory, without values. Start here.',
    input: argumentsSchema({
      memory: MemoryArgument,
      grant: GrantArgument,
      at: Type.Optional(Type.String({ description: 'JSON Pointer to look below.' })),
      depth: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 8, description: 'Levels; default 2.' }),
      ),
      after: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Item to go on from, as the outline says.' }),
      ),
    }),
    run: async (own, { memory, grant, at, depth, after }, { signal }) => {
      const session = sessionBy(own, { name: memory, grant })
      const tokenId = await findToken(session, memory, { signal })
      const query = { pointer: at, depth, from: after, width: 10 }
      const outline = await session.client.outline(tokenId, query, { signal })
      const options = { tokenId, signal }
      const { text, guard } = await guardText(session.client, JSON.stringify(outline), options)
      const lines = outlineText(JSON.parse(text))
      return guard === undefined ? lines : `${JSON.stringify(guard)}\n${lines}`
    },
  }),
  smallTool({
    ...reading,
    name: 'read_part',
    title: 'Read a part of a memory',
    description:
      'Reads a value of a memory by its JSON Pointer, or values by a JSONPath. Returns exact JSON.',
    input: argumentsSchema({
      memory: MemoryArgument,
      grant: GrantArgument,
      at: Type.Optional(
        Type.String({
          description: '/data/notes/3, or $.data.notes[-3:]; default all of a short memory.',
        }),
      ),
      after: afterArgument,
      flagged: flaggedArgument,
    }),
    run: async (own, { memory, grant, at = '', after, flagged }, { signal }) => {
      const session = sessionBy(own, { name: memory, grant })
      const tokenId = await findToken(session, memory, { signal })
      return readPart(session.client, { tokenId, at, after, flagged }, { signal })
    },
  }),
  smallTool({
    ...reading,
    name: 'search_in',
    title: 'Search inside a memory',
    description:
      'Answers a question from one memory: the items that say most of it, best first. Quotes look for a phrase as it stands.',
    input: argumentsSchema({
      memory: MemoryArgument,
      grant: GrantArgument,
      text: { ...SearchText, description: 'A question, or a “phrase”.' },
      limit: limitArgument(10, 100),
      after: afterArgument,
      flagged: flaggedArgument,
    }),
    run: async (own, { memory, grant, text, limit = 10, after, flagged }, { signal }) => {
      const session = sessionBy(own, { name: memory, grant })
      const tokenId = await findToken(session, memory, { signal })
      const found = await findItems(session.client, { tokenId, text, limit, after }, { signal })
      const options = { tokenId, flagged, signal }
      const guarded = await guardObject(session.client, foundText(found), options)
      const shown = JSON.parse(guarded) as { readonly matches: readonly GuardedMatch[] }
      return JSON.stringify({ ...shown, matches: shown.matches.map(withoutJoined) })
    },
  }),
]
