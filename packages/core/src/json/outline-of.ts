import { type DocumentCursor, jump, markOf, peek, positionOf } from './document-cursor.ts'
import { decodeName, readName } from './member-name.ts'
import { printPointer } from './pointer.ts'
import { braceOpen, bracketOpen, enter, leave, quote, skipCommas, skipValue } from './skip.ts'

/** The kinds of JSON values. */
export const valueTypes = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const

/** A kind of JSON value. */
export type ValueType = (typeof valueTypes)[number]

/** Describes a value without its content. */
export type Outline = {
  /** The JSON Pointer of the value; absent when it would be longer than 4,096 characters. */
  readonly pointer?: string
  readonly type: ValueType
  /** The length of its exact text in bytes. */
  readonly bytes: number
  /** The number of members or items of an object or array. */
  readonly count?: number
  /** The first of them, in their order in the text; absent below the depth and beyond the limit. */
  readonly members?: readonly Outline[]
  /** The number of the member or item to go on from; absent when `members` holds the last one. */
  readonly next?: number
}

/** The extent of an outline. */
export type OutlineBounds = {
  /** The number of levels below the value. */
  readonly depth: number
  /** The most members of one object or array. */
  readonly width: number
  /** The number of the first member of the value itself to describe, from 0 on. */
  readonly from: number
}

/** The most values in one outline. */
export const maxOutlined = 1000

/** A described object or array whose members may be described next. */
type Container = {
  readonly outline: Writable<Outline>
  readonly tokens: readonly string[] | undefined
  readonly mark: Readonly<DocumentCursor>
  /** The number of levels that are described below it. */
  readonly levels: number
  readonly from: number
}

type Writable<T> = { -readonly [key in keyof T]: T[key] }

type Described = Pick<Container, 'outline' | 'tokens' | 'mark'>

/**
 * Describes the value at a cursor, whose pointer is `tokens`, and then what is below it, level by
 * level, until the bounds are reached.
 */
export async function outlineOf(
  cursor: DocumentCursor,
  tokens: readonly string[],
  { depth, width, from }: OutlineBounds,
): Promise<Outline> {
  const root = await describe(cursor, tokens)
  const containers: Container[] = [{ ...root, levels: depth, from }]
  let left = maxOutlined
  for (const container of containers) {
    const { levels, outline } = container
    if (levels === 0 || left === 0 || outline.count === undefined) continue
    const members = await describeMembers(cursor, container, left < width ? left : width)
    left -= members.length
    containers.push(...members.map((member) => ({ ...member, levels: levels - 1, from: 0 })))
  }
  return root.outline
}

/** Describes one value without its members, and moves the cursor after it. */
async function describe(
  cursor: DocumentCursor,
  tokens: readonly string[] | undefined,
): Promise<Described> {
  const type = typeOf(await peek(cursor))
  const mark = markOf(cursor)
  const pointer = tokens && printPointer(tokens)
  const isContainer = type === 'object' || type === 'array'
  const count = isContainer ? await skipMembers(cursor) : undefined
  if (!isContainer) await skipValue(cursor)
  const bytes = positionOf(cursor) - positionOf(mark)
  const outline = {
    ...(pointer === undefined ? {} : { pointer }),
    type,
    bytes,
    ...(count === undefined ? {} : { count }),
  }
  return { outline, tokens, mark }
}

function typeOf(byte: number): ValueType {
  if (byte === braceOpen) return 'object'
  if (byte === bracketOpen) return 'array'
  if (byte === quote) return 'string'
  if (byte === 0x74 || byte === 0x66) return 'boolean'
  return byte === 0x6e ? 'null' : 'number'
}

/** Skips an object or array, and returns the number of its members. */
async function skipMembers(cursor: DocumentCursor): Promise<number> {
  const hasMembers = await enter(cursor)
  const count = hasMembers ? (await skipCommas(cursor, Number.POSITIVE_INFINITY)) + 1 : 0
  leave(cursor)
  return count
}

/** Describes the members of an object or array, from its `from` on and at most `most`. */
async function describeMembers(
  cursor: DocumentCursor,
  container: Container,
  most: number,
): Promise<readonly Described[]> {
  const { outline, mark, from } = container
  const members: Described[] = []
  const count = outline.count ?? 0
  if (from < count) {
    jump(cursor, mark)
    await enter(cursor)
    await skipCommas(cursor, from)
  }
  for (let index = from; index < count && members.length < most; index++) {
    members.push(await describeMember(cursor, container, index))
  }
  outline.members = members.map((member) => member.outline)
  const next = from + members.length
  if (next < count) outline.next = next
  return members
}

/** Describes the member at the cursor or after the comma at the cursor; stops at the next comma. */
async function describeMember(
  cursor: DocumentCursor,
  { outline, tokens }: Container,
  index: number,
): Promise<Described> {
  if (index > 0) cursor.at++
  await peek(cursor)
  const token = outline.type === 'object' ? await readToken(cursor) : String(index)
  const described = await describe(cursor, below(tokens, token))
  await peek(cursor)
  return described
}

async function readToken(cursor: DocumentCursor): Promise<string | undefined> {
  const name = await readName(cursor)
  return name && decodeName(name)
}

function below(tokens: readonly string[] | undefined, token: string | undefined) {
  return tokens === undefined || token === undefined ? undefined : [...tokens, token]
}
