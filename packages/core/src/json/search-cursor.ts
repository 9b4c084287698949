import { Failure } from '../failure.ts'
import { type DocumentCursor, peek } from './document-cursor.ts'
import { type NameText, readName } from './member-name.ts'
import { braceOpen, closes, enter, opens, skipCommas } from './skip.ts'

/** One object or array around the place of a search. */
export type Frame = {
  readonly isObject: boolean
  /** The number of the current member or item, from 0 on. */
  index: number
  /** The name of the current member. */
  name: NameText
  /** The matches in the name of the current member and in its value if that is a string. */
  seen: number
  /** Those of them that an earlier answer returned. */
  known: number
}

/** The place where a search goes on: the numbers of the members on the way, and known matches. */
export type SearchPlace = {
  readonly ordinals: readonly number[]
  /** The matches in the member that were returned before. */
  readonly known: number
}

/**
 * Reads a place from its text.
 *
 * @throws `part/malformed`
 */
export function parseSearchPlace(text: string): SearchPlace {
  if (!/^\d{1,9}(\.\d{1,9})*~\d{1,9}$/.test(text)) throw notACursor()
  const [ordinals = '', known] = text.split('~')
  return { ordinals: ordinals.split('.').map(Number), known: Number(known) }
}

/** Returns the text of a place. */
export function printSearchPlace({ ordinals, known }: SearchPlace): string {
  return `${ordinals.join('.')}~${known}`
}

function notACursor(): Failure {
  const problem = 'it is not the `next` of an answer of this memory'
  return new Failure('part/malformed', { what: 'cursor', problem })
}

/**
 * Moves a cursor from the beginning of a document to the member at a place, before its name, and
 * returns the objects and arrays around it.
 *
 * @throws `part/malformed`
 */
export async function goTo(cursor: DocumentCursor, { ordinals, known }: SearchPlace) {
  const frames: Frame[] = []
  for (const [level, index] of ordinals.entries()) {
    const parent = frames.at(-1)
    if (parent?.isObject) parent.name = await readName(cursor)
    frames.push(await enterMember(cursor, index))
    if (level === ordinals.length - 1) (frames.at(-1) as Frame).known = known
  }
  return frames
}

async function enterMember(cursor: DocumentCursor, index: number): Promise<Frame> {
  const byte = await peek(cursor)
  if (!opens(byte) || !(await enter(cursor))) throw notACursor()
  if ((await skipCommas(cursor, index)) < index) throw notACursor()
  if (index > 0) cursor.at++
  if (closes(await peek(cursor))) throw notACursor()
  return { isObject: byte === braceOpen, index, name: undefined, seen: 0, known: 0 }
}
