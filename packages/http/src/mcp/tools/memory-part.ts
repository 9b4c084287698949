import type { Memory } from '../../client/download.ts'

/** How many characters of a memory one answer holds at most. */
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
 * Returns what of a memory fits in the context of a model: all of it as JSON where that is short,
 * or, from an offset on, a part of its exact text. With neither, only where to begin.
 */
export function memoryPart(
  { data, metadata, document }: Pick<Memory, 'data' | 'metadata' | 'document'>,
  offset: number | undefined,
): memoryPart.Part {
  const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(document)
  if (offset !== undefined) return partFrom(whole, offset)
  return whole.length > mostCharacters ? { next: 0 } : { data, metadata, next: null }
}

function partFrom(whole: string, offset: number): memoryPart.Part {
  const end = wholeCharacter(whole, offset + mostCharacters)
  return { text: whole.slice(offset, end), next: end < whole.length ? end : null }
}

// Half a surrogate pair is a text that many programs cannot read.
function wholeCharacter(text: string, at: number): number {
  const isSplit = /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1))
  return isSplit ? at - 1 : at
}
