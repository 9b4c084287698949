const [quote, backslash, colon] = [0x22, 0x5c, 0x3a]

/** Describes by how much each byte outside of strings changes the depth. */
const steps = new Int8Array(256)
for (const open of ['{', '[']) steps[open.charCodeAt(0)] = 1
for (const close of ['}', ']']) steps[close.charCodeAt(0)] = -1

/** The members of a memory. */
const known: readonly string[] = ['data', 'metadata']

type Walk = { readonly text: Uint8Array; at: number; depth: number }

/**
 * Returns the name of the first member of a JSON object that a memory does not have; `undefined` for
 * none, and for a text that is no JSON.
 */
export function otherMember(text: Uint8Array): string | undefined {
  const walk: Walk = { text, at: 0, depth: 0 }
  while (walk.at < text.length) {
    const name = nextName(walk)
    if (name !== undefined && !known.includes(name)) return name
  }
  return undefined
}

/** Goes on by a byte or a string; returns that if it is the name of a member of the whole. */
function nextName(walk: Walk): string | undefined {
  const { text, at, depth } = walk
  const byte = text[at] as number
  if (byte !== quote) {
    walk.depth += steps[byte] as number
    walk.at += 1
    return undefined
  }
  walk.at = endOfString(text, at)
  return depth === 1 && isName(text, walk.at) ? readString(text.subarray(at, walk.at)) : undefined
}

/** Returns the position after a string that begins at a quote. */
function endOfString(text: Uint8Array, start: number): number {
  let end = text.indexOf(quote, start + 1)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf(quote, end + 1)
  return end < 0 ? text.length : end + 1
}

function isEscaped(text: Uint8Array, at: number): boolean {
  let first = at
  while (text[first - 1] === backslash) first -= 1
  return (at - first) % 2 === 1
}

function isName(text: Uint8Array, end: number): boolean {
  let at = end
  while ((text[at] ?? colon) <= 0x20) at += 1
  return text[at] === colon
}

function readString(literal: Uint8Array): string | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(literal)) as string
  } catch {
    return undefined
  }
}
