/** Encodes a well-formed text as UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
  return encodeAscii(text) ?? encodeAll(text)
}

/** Encodes a text, if it is of ASCII alone, as short ones mostly are. */
function encodeAscii(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x80) return undefined
    bytes[at] = code
  }
  return bytes
}

function encodeAll(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let length = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x80) bytes[length++] = code
    else length = encodeLong(bytes, length, code)
  }
  return bytes.slice(0, length)
}

function encodeLong(bytes: Uint8Array, start: number, code: number): number {
  let at = start
  if (code < 0x800) {
    bytes[at++] = 0xc0 | (code >> 6)
  } else {
    if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12)
    else {
      bytes[at++] = 0xf0 | (code >> 18)
      bytes[at++] = 0x80 | ((code >> 12) & 0x3f)
    }
    bytes[at++] = 0x80 | ((code >> 6) & 0x3f)
  }
  bytes[at++] = 0x80 | (code & 0x3f)
  return at
}

/** Decodes bytes that are known to be valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const codes: number[] = []
    for (; at < bytes.length && codes.length < 8192; at += sequenceLength(bytes[at] ?? 0)) {
      codes.push(codePoint(bytes, at))
    }
    parts.push(String.fromCodePoint(...codes))
  }
  return parts.join('')
}

function codePoint(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  const length = sequenceLength(lead)
  let code = length === 1 ? lead : lead & (0x7f >> length)
  for (let next = at + 1; next < at + length; next++) {
    code = (code << 6) | ((bytes[next] ?? 0) & 0x3f)
  }
  return code
}

/** Returns the length of the UTF-8 sequence that begins with `lead`. */
export function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}

/**
 * Returns whether a valid UTF-8 sequence of more than one byte begins at `at`: not overlong, not a
 * surrogate, not above U+10FFFF (RFC 3629 §4).
 */
export function isSequence(bytes: Uint8Array, at: number): boolean {
  const lead = bytes[at] ?? 0
  if (!isBeginning(lead, bytes[at + 1] ?? 0)) return false
  for (let next = at + sequenceLength(lead) - 1; next > at + 1; next--) {
    if (!isContinuation(bytes[next])) return false
  }
  return true
}

function isBeginning(lead: number, second: number): boolean {
  if (lead < 0xc2 || lead > 0xf4) return false
  return second >= lowestSecond(lead) && second <= highestSecond(lead)
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80
}

function lowestSecond(lead: number): number {
  if (lead === 0xe0) return 0xa0
  return lead === 0xf0 ? 0x90 : 0x80
}

function highestSecond(lead: number): number {
  if (lead === 0xed) return 0x9f
  return lead === 0xf4 ? 0x8f : 0xbf
}
