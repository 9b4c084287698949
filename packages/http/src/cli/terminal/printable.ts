// Characters that a terminal obeys, or that make text look different from what it is: controls, lone
// surrogates, line and paragraph separators, bidirectional marks, the byte order mark, and tags.
const misleading = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{FEFF}\u{E0000}-\u{E007F}]/gu

/** Returns an untrusted text as one line without characters that a terminal obeys. */
export function printable(text: string): string {
  return text.replace(/[\t\n\r]+/g, ' ').replace(misleading, '\u{FFFD}')
}

/** Returns the same JSON, with escapes for characters that a terminal obeys. */
export function printableJson(json: string): string {
  return json
    .replace(/\r/g, ' ')
    .replace(misleading, (found) => (found === '\n' || found === '\t' ? found : escaped(found)))
}

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
