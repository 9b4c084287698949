import {
  type DocumentCursor,
  jump,
  markOf,
  openNextWindow,
  peek,
  positionOf,
} from './document-cursor.ts'
import { skipValue } from './skip.ts'

/** The place of a value in a document. */
export type ValuePlace = {
  /** The number of bytes of its exact text. */
  readonly length: number
  readonly mark: Readonly<DocumentCursor>
}

/** Measures the value at a cursor and moves the cursor after it. */
export async function measureValue(cursor: DocumentCursor): Promise<ValuePlace> {
  await peek(cursor)
  const mark = markOf(cursor)
  return { mark, length: await skipValue(cursor) }
}

/** Reads the exact text of a value that was measured. */
export async function readValue(
  cursor: DocumentCursor,
  { mark, length }: ValuePlace,
): Promise<Uint8Array> {
  jump(cursor, mark)
  const text = new Uint8Array(length)
  const start = positionOf(cursor)
  while (positionOf(cursor) < start + length) {
    if (cursor.at >= cursor.window.length) await openNextWindow(cursor)
    const filled = positionOf(cursor) - start
    const piece = cursor.window.subarray(cursor.at, cursor.at + length - filled)
    text.set(piece, filled)
    cursor.at += piece.length
  }
  return text
}
