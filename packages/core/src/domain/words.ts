/** Words are compared by this many of their first letters. */
export const longestWord = 16

/**
 * Returns the words of a text as they are compared: runs of letters and digits, without case and
 * without accents, each cut to its first 16 letters.
 */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu)?.map(cut) ?? []
}

const cut = (word: string): string =>
  word.length <= longestWord ? word : [...word].slice(0, longestWord).join('')
