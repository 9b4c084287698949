/**
 * Returns why the bytes of a file are not JSON from a position on: their encoding, or the line and
 * the column, both counted from 1, with the name of a number or a mark that JSON does not have.
 */
export function jsonFault(bytes: Uint8Array, at: number): string {
  const fault = textFault(bytes)
  if (fault !== undefined) return fault
  const place = placeOf(bytes, at)
  const found = exactDecoder.decode(bytes.subarray(at, at + 'Infinity'.length))
  const [name] = /^(?:NaN|Infinity)/.exec(found) ?? []
  if (found.startsWith('\uFEFF')) return `it has a byte order mark (${place}); remove it there`
  if (found.trim() === '') return `it ends too early (${place}); it was probably cut off`
  return name === undefined
    ? `it is not JSON (${place})`
    : `it has ${name} (${place}), which JSON does not have; write null there`
}

/** Returns whether bytes are UTF-16: a mark says so, or one half of each of the first characters is zero. */
export function isUtf16([one, two, three, four]: Uint8Array): boolean {
  const isMarked = (one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff)
  const [evens, odds] = [
    [one, three],
    [two, four],
  ].map((half) => half.every((byte) => byte === 0))
  return isMarked || (four !== undefined && evens !== odds)
}

/** A decoder to which a byte order mark is a character. */
const exactDecoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Returns why bytes are no text of UTF-8, with the place where they no longer are; `undefined` for a text. */
export function textFault(bytes: Uint8Array): string | undefined {
  if (isUtf16(bytes)) return notUtf8(bytes)
  const again = new TextEncoder().encode(exactDecoder.decode(bytes))
  const at = bytes.findIndex((byte, nth) => byte !== again[nth])
  return at === -1 ? undefined : `${notUtf8(bytes)} (${placeOf(bytes, at)})`
}

/** Returns why bytes that are not UTF-8 cannot be read. */
export const notUtf8 = (bytes: Uint8Array): string =>
  isUtf16(bytes) ? 'it is UTF-16; save it as UTF-8' : 'it is not UTF-8 text'

function placeOf(bytes: Uint8Array, at: number): string {
  const before = new TextDecoder().decode(bytes.subarray(0, at))
  const start = before.lastIndexOf('\n') + 1
  const line = before.match(/\n/g)?.length ?? 0
  return `line ${line + 1}, column ${Array.from(before.slice(start)).length + 1}`
}
