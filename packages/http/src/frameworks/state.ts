import { HeirloomError } from '../client/heirloom-error.ts'
import { idempotencyKey } from '../client/transport/request-line.ts'

/** The members of a memory. */
export type Data = Readonly<Record<string, unknown>>

type Metadata = { readonly category: string; readonly [member: string]: unknown }

/** A version of a memory, as it is read and changed here. */
export type State = {
  /** The token of the version; 0 before the first one. */
  readonly tokenId: string
  readonly data: Data
  readonly metadata: Metadata
  readonly exact?: ExactNumbers | undefined
}

/**
 * The numbers of a document that JavaScript would write in another way, such as 1.0 or one of 64 bits, by
 * the object or list that they are in: what nobody changed is written again as it was.
 */
type ExactNumbers = {
  readonly mark: string
  readonly texts: WeakMap<object, ReadonlyMap<string, string>>
}

/** Returns the state of a name without versions, or of one whose last version was erased. */
export const emptyState = (tokenId: string, category: string): State => ({
  tokenId,
  data: {},
  metadata: { category },
})

/** A string, or a number, of a JSON text. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Decodes the document of a version. @throws `client/unexpected-memory` */
export function decodeState(tokenId: string, document: Uint8Array): State {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(document)
  const mark = `exact-number:${idempotencyKey()}:`
  const marked = text.replace(stringOrNumber, (token) =>
    token.startsWith('"') || `${Number(token)}` === token ? token : `"${mark}${token}"`,
  )
  if (marked === text) return { tokenId, ...(JSON.parse(text) as Pick<State, 'data' | 'metadata'>) }
  const texts = new Map<object, Map<string, string>>()
  const parsed = JSON.parse(marked, function (this: object, key: string, value: unknown) {
    if (typeof value !== 'string' || !value.startsWith(mark)) return value
    const number = value.slice(mark.length)
    texts.set(this, (texts.get(this) ?? new Map()).set(key, number))
    return Number(number)
  })
  return { tokenId, ...parsed, exact: { mark, texts: new WeakMap(texts) } }
}

/** Encodes the document of the next version, after a state whose data was changed to this. */
export function encodeState({ data: before, metadata, exact }: State, data: Data): string {
  if (exact === undefined) return JSON.stringify({ data, metadata })
  const { mark, texts } = exact
  const marked = JSON.stringify({ data, metadata }, function (this: object, key: string, value) {
    // The members of the memory are copied when one of them changes.
    const number = texts.get(this === data ? before : this)?.get(key)
    return number !== undefined && Number(number) === value ? mark + number : value
  })
  return marked.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1')
}

/** Returns a member that is a list of objects; an empty one when it is absent. */
export function listIn<Item extends object>(data: Data, member: string): readonly Item[] {
  const list = data[member] ?? []
  if (Array.isArray(list) && list.every((it) => typeof it === 'object' && it !== null)) return list
  throw unexpectedMemory(`its member ${member} is not a list of objects`)
}

/** Returns the failure for a memory that another program wrote in another form. */
export const unexpectedMemory = (problem: string): HeirloomError<'client/unexpected-memory'> =>
  new HeirloomError({
    code: 'client/unexpected-memory',
    facts: { problem },
    message: `The memory has another form than expected: ${problem}. Use another name.`,
  })
