/** The number of letters by which words are compared. */
export const maxWordLength = 16

/**
 * Returns the normalised words of a text: runs of letters and digits in lower case, without
 * accents, truncated to 16 letters.
 */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu)?.map(truncate) ?? []
}

const truncate = (word: string): string =>
  word.length <= maxWordLength ? word : [...word].slice(0, maxWordLength).join('')
