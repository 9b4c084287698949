import type { Client } from '../../client/client.ts'
import { guardObject, guardText, withGuard } from '../guard.ts'
import { partFrom } from '../tools/memory-part.ts'

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
export async function readPart(client: Calls, place: Place, options: Options): Promise<string> {
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
