import type { Encoding } from './finding.ts'

/** A text in another encoding, and where it stands. */
export type EncodedText = {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly via: Encoding
}

type Decoder = {
  readonly via: Encoding
  readonly pattern: RegExp
  readonly decode: (text: string) => string | undefined
}

const decoders: readonly Decoder[] = [
  { via: 'base64', pattern: /[A-Za-z0-9+/_-]{24,8192}={0,2}/g, decode: decodeBase64 },
  { via: 'hex', pattern: /(?:0x)?(?:[0-9a-f]{2}[ :]?){24,4096}/gi, decode: decodeHex },
  { via: 'percent', pattern: /[^\s"'<>(){}]{12,4096}/g, decode: decodePercent },
  {
    via: 'entities',
    pattern: /(?:&#(?:\d{1,7}|x[0-9a-f]{1,6});|[ \t]){8,2048}/gi,
    decode: (text) => decodeCodes(text, /&#(x?)([0-9a-f]{1,7});/gi),
  },
  {
    via: 'escapes',
    pattern: /(?:\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|[ \t]){8,2048}/gi,
    decode: (text) => decodeCodes(text, /\\([ux])([0-9a-f]{2,4})/gi),
  },
]

/** Finds texts in base64, in hexadecimal, and in the escapes of addresses, HTML and JavaScript. */
export function findEncodedTexts(text: string): readonly EncodedText[] {
  return decoders.flatMap(({ via, pattern, decode }) =>
    [...text.matchAll(pattern)].flatMap(({ 0: found, index }) => {
      const decoded = decode(found)
      if (decoded === undefined) return []
      return [{ start: index, end: index + found.length, text: decoded, via }]
    }),
  )
}

/** The characters that show whether the rest is worth decoding. */
const head = 24

function decodeBase64(text: string): string | undefined {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '')
  if (!isText(bytesOf(plain.slice(0, head)), true)) return undefined
  const bytes = bytesOf(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)))
  return isText(bytes, false) ? decodeBytes(bytes) : undefined
}

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))

function decodeHex(text: string): string | undefined {
  const digits = text.replace(/^0x/i, '').replaceAll(/[ :]/g, '')
  const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return isText(bytes, false) ? decodeBytes(bytes) : undefined
}

/** Returns whether bytes are text: no controls but white space. The head may end in a character. */
function isText(bytes: Uint8Array, isHead: boolean): boolean {
  const controls = bytes.filter((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)
  if (controls.length > 0 || bytes.includes(127)) return false
  return isHead || decodeBytes(bytes) !== undefined
}

function decodeBytes(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function decodePercent(text: string): string | undefined {
  const runs = text.match(/(?:%[0-9a-f]{2})/gi) ?? []
  if (runs.length < 3) return undefined
  const decoded = text.replace(/(?:%[0-9a-f]{2}){1,300}/gi, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split('%'), (pair) => Number.parseInt(pair, 16))
    return decodeBytes(bytes) ?? run
  })
  return decoded.replaceAll('+', ' ')
}

function decodeCodes(text: string, pattern: RegExp): string | undefined {
  let count = 0
  const decoded = text.replace(pattern, (_, kind: string, digits: string) => {
    count += 1
    const code = Number.parseInt(digits, kind === '' ? 10 : 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
  return count < 8 ? undefined : decoded
}
