import type { Memory } from '../../client/download.ts'

/** The most characters of a memory in one result. */
export const mostCharacters = 40_000

export declare namespace memoryPart {
  type Part = {
    readonly data?: Memory['data']
    readonly metadata?: Memory['metadata']
    readonly text?: string
    readonly next: number | null
  }
}

/**
 * Returns the part of a memory that fits in the context of a model. Without an offset: a short
 * memory as JSON, or only `next: 0` for a long one. With an offset: a part of its exact text.
 */
export function memoryPart(
  { data, metadata, document }: Pick<Memory, 'data' | 'metadata' | 'document'>,
  offset: number | undefined,
): memoryPart.Part {
  const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(document)
  if (offset !== undefined) return partFrom(whole, offset)
  return whole.length > mostCharacters ? { next: 0 } : { data, metadata, next: null }
}

type TextPart = { readonly text: string; readonly next: number | null }

/** Returns the part of a text from an offset, of at most so many characters. */
export function partFrom(whole: string, offset: number, most = mostCharacters): TextPart {
  const end = endOfCharacter(whole, offset + most)
  return { text: whole.slice(offset, end), next: end < whole.length ? end : null }
}

// Many programs cannot read half of a surrogate pair.
function endOfCharacter(text: string, at: number): number {
  const isSplit = /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1))
  return isSplit ? at - 1 : at
}
