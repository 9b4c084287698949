/**
 * Returns the words of a text as they are looked for: runs of letters and digits, without case and
 * without accents.
 */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}
