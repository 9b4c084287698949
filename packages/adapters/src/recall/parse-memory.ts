import { parseItems } from '@heirloom/core'

/** The most names, values and containers of a memory that is indexed, names of one object, and levels. */
const most = { marks: 4_000_000, names: 200_000, depth: 1_000 } as const

const codeOf = (character: string) => character.charCodeAt(0)
const [quote, backslash] = [codeOf('"'), codeOf('\\')]
const openers = [...'{['].map(codeOf)
const closers = [...'}]'].map(codeOf)
const [comma, colon] = [',', ':'].map(codeOf)

/**
 * Parses the document of a memory; `undefined` where it has too many values or levels: parsed, a few
 * bytes of it take fifty of memory, and a thread that has no more ends the process.
 */
export const parseMemory = (document: Uint8Array): unknown =>
  isWithin(document)
    ? parseItems(new TextDecoder('utf-8', { ignoreBOM: true }).decode(document))
    : undefined

type Scan = {
  marks: number
  depth: number
  /** The names of the open object at each depth. */
  readonly names: Uint32Array
}

function isWithin(document: Uint8Array): boolean {
  const scan: Scan = { marks: 0, depth: 0, names: new Uint32Array(most.depth + 2) }
  for (let at = 0; at < document.length; at += 1) {
    const kind = kinds[document[at] as number] as number
    if (kind === plain) continue
    if (kind === string) at = endOfString(document, at + 1)
    else if (!isCounted(scan, kind)) return false
  }
  return true
}

/** Counts a byte, and reports whether all is within the bounds. */
function isCounted(scan: Scan, kind: number): boolean {
  const { names } = scan
  if (kind === end) scan.depth -= 1
  else scan.marks += 1
  if (kind === start) {
    scan.depth += 1
    names[scan.depth] = 0
  }
  if (kind === name) names[scan.depth] = (names[scan.depth] as number) + 1
  const count = names[scan.depth] ?? 0
  return scan.marks <= most.marks && scan.depth <= most.depth && count <= most.names
}

/** The kinds of bytes outside of strings. */
const [plain, string, start, end, separator, name] = [0, 1, 2, 3, 4, 5]

const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === quote) return string
  if (byte === comma) return separator
  if (byte === colon) return name
  return openers.includes(byte) ? start : closers.includes(byte) ? end : plain
})

/** Returns the place of the quote mark that ends a string. */
function endOfString(document: Uint8Array, start: number): number {
  for (let end = document.indexOf(quote, start); end >= 0; end = document.indexOf(quote, end + 1)) {
    let from = end
    while (from > start && document[from - 1] === backslash) from -= 1
    if ((end - from) % 2 === 0) return end
  }
  return document.length
}
