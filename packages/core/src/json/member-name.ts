import { type DocumentCursor, openNextWindow, peek } from './document-cursor.ts'
import { type JsonText, parseJson } from './json.ts'
import { afterString } from './segments.ts'

/** The JSON text of a name, with its quotes; `undefined` when no pointer can hold it. */
export type NameText = Uint8Array | undefined

/** The longest text of a name that a pointer can hold: six bytes for each character. */
const maxNameBytes = 6 * 4096 + 2

const backslash = 0x5c

/** Reads the name of a member and its colon; the cursor is then before the value. */
export async function readName(cursor: DocumentCursor): Promise<NameText> {
  const collected = nameCollector()
  let from = cursor.at
  cursor.at++
  for (;;) {
    const at = afterString(cursor.window, cursor.at)
    collected.add(cursor.window.subarray(from, at))
    cursor.at = at > cursor.window.length ? at - 1 : at
    if (at <= cursor.window.length) break
    await openNextWindow(cursor)
    from = 0
  }
  await peek(cursor)
  cursor.at++
  return collected.name()
}

/** Collects the pieces of a name up to a limit. */
export function nameCollector(): { add: (piece: Uint8Array) => void; name: () => NameText } {
  const pieces: Uint8Array[] = []
  let length = 0
  return {
    add: (piece) => {
      length += piece.length
      if (length <= maxNameBytes) pieces.push(piece)
    },
    name: () => (length > maxNameBytes ? undefined : joined(pieces, length)),
  }
}

/** Returns the bytes of all pieces as one; a single piece is returned as it is. */
export function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  if (pieces.length === 1) return pieces[0] as Uint8Array
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** Returns the name that its JSON text stands for. */
export function decodeName(name: Uint8Array): string {
  return String(parseJson(name as JsonText))
}

/** Returns a function that tells whether the JSON text of a name stands for `token`. */
export function nameMatcher(token: string, encoded: Uint8Array): (name: NameText) => boolean {
  return (name) => {
    if (name === undefined) return false
    if (name.includes(backslash)) return decodeName(name) === token
    return name.length === encoded.length + 2 && encoded.every((byte, at) => name[at + 1] === byte)
  }
}
