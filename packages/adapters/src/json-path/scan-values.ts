// These functions scan valid JSON, which may be cut at the end: a position after the end is there
// beyond the bytes or equal to their length.

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [braceOpen, braceClose, bracketOpen, bracketClose] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Returns the position after white space. */
export function afterSpace(bytes: Buffer, start: number): number {
  let at = start
  while (isSpace(bytes[at])) at++
  return at
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Returns the position after the value at `start`. */
export function afterValue(bytes: Buffer, start: number): number {
  const byte = bytes[start]
  if (byte === quote) return afterString(bytes, start)
  return isOpening(byte) ? afterContainer(bytes, start) : afterLiteral(bytes, start)
}

function isOpening(byte: number | undefined): boolean {
  return byte === braceOpen || byte === bracketOpen
}

function isClosing(byte: number | undefined): boolean {
  return byte === braceClose || byte === bracketClose
}

function afterString(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(quote, start + 1)
  while (at >= 0 && isEscaped(bytes, at)) at = bytes.indexOf(quote, at + 1)
  return at < 0 ? bytes.length : at + 1
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let first = at
  while (bytes[first - 1] === backslash) first--
  return (at - first) % 2 === 1
}

function afterContainer(bytes: Buffer, start: number): number {
  let depth = 0
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at]
    at = byte === quote ? afterString(bytes, at) : at + 1
    if (isOpening(byte)) depth++
    if (isClosing(byte) && --depth === 0) return at
  }
  return at
}

function afterLiteral(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && !endsLiteral(bytes[at])) at++
  return at
}

function endsLiteral(byte: number | undefined): boolean {
  return byte === comma || isClosing(byte) || isSpace(byte)
}

/** Receives a member and the position of its value; returns the position after the value. */
export type Visit = (token: string | number, at: number) => number

/** Visits the members of the object or array at `start`, and returns the position after it. */
export function visitMembers(bytes: Buffer, start: number, visit: Visit): number {
  return bytes[start] === braceOpen
    ? visitObject(bytes, start, visit)
    : visitArray(bytes, start, visit)
}

function visitObject(bytes: Buffer, start: number, visit: Visit): number {
  let at = afterSpace(bytes, start + 1)
  while (!isClosing(bytes[at])) {
    if (bytes[at] === comma) at = afterSpace(bytes, at + 1)
    const end = afterString(bytes, at)
    const value = afterSpace(bytes, afterSpace(bytes, end) + 1)
    at = afterSpace(bytes, visit(nameOf(bytes, at, end), value))
  }
  return at + 1
}

function visitArray(bytes: Buffer, start: number, visit: Visit): number {
  let at = afterSpace(bytes, start + 1)
  for (let index = 0; !isClosing(bytes[at]); index++) {
    if (bytes[at] === comma) at = afterSpace(bytes, at + 1)
    at = afterSpace(bytes, visit(index, at))
  }
  return at + 1
}

function nameOf(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end)
  return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1)
}

/** The place of an item of an array, and of what follows its comma. */
export type ItemPlace = {
  readonly start: number
  readonly end: number
  /** Absent when the array ends. */
  readonly following?: number | undefined
}

/** Returns the place of the first item from `from` on, or `undefined` when it may be cut. */
export function itemAfter(bytes: Buffer, from: number): ItemPlace | undefined {
  const start = afterSpace(bytes, from)
  const end = afterValue(bytes, start)
  const separator = afterSpace(bytes, end)
  if (separator >= bytes.length) return undefined
  const isLast = bytes[separator] === bracketClose
  return { start, end, following: isLast ? undefined : separator + 1 }
}

/** Returns whether the value at a position is an object or an array. */
export function isContainerAt(bytes: Buffer, at: number): boolean {
  return isOpening(bytes[at])
}
