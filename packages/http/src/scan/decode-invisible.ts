/** Decodes what invisible characters write: Unicode tags, variation selectors, or bits. */
export function decodeInvisible(run: string): string | undefined {
  const codes = Array.from(run, (character) => character.codePointAt(0) ?? 0)
  const decoded = [fromTags(codes), fromSelectors(codes), fromBits(codes)]
  return decoded.find((it) => it !== undefined && /^[\t\n\r\P{C}]{2,}$/u.test(it))
}

function fromTags(codes: readonly number[]): string | undefined {
  const tags = codes.filter((code) => code >= 0xe0020 && code < 0xe007f)
  return tags.length === 0 ? undefined : String.fromCharCode(...tags.map((it) => it - 0xe0000))
}

function fromSelectors(codes: readonly number[]): string | undefined {
  const bytes = codes.flatMap((code) => {
    if (code >= 0xfe00 && code <= 0xfe0f) return [code - 0xfe00]
    return code >= 0xe0100 && code <= 0xe01ef ? [code - 0xe0100 + 16] : []
  })
  return bytes.length === 0 ? undefined : decodeBytes(bytes)
}

/** Decodes two kinds of zero-width characters as the bits of bytes. */
function fromBits(codes: readonly number[]): string | undefined {
  const kinds = [...new Set(codes)].toSorted((one, other) => one - other)
  if (kinds.length !== 2 || codes.length < 16) return undefined
  const bits = codes.map((code) => kinds.indexOf(code)).join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  return decodeBytes(bytes)
}

function decodeBytes(bytes: readonly number[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}
