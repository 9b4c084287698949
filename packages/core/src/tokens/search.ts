import type { Card } from '../bundles/card.ts'
import { Failure } from '../failure.ts'

/** The largest number of different words in a search. */
export const maxSearchWords = 16

/** The least number of letters in a search word; a shorter prefix matches too many words. */
export const minSearchWordLength = 2

/** The number of searched fields of a card: title, tags, category and description. */
export const searchedFieldCount = 4

/**
 * Returns the different words of a search; none for a text without words. Ignores words of one
 * letter beside longer ones.
 *
 * @throws `request/malformed` for too many words, and when no word has two letters
 */
export function searchWords(search: string): readonly string[] {
  const all = [...new Set(wordsOf(search))]
  const words = all.filter((word) => [...word].length >= minSearchWordLength)
  if (all.length > 0 && words.length === 0) refuse('needs a word of two letters or more')
  if (words.length > maxSearchWords) refuse(`has more than ${maxSearchWords} different words`)
  return words
}

function refuse(problem: string): never {
  throw new Failure('request/malformed', { where: 'search', problem })
}

/** Returns the words of a card's title, tags, category and description, in this order. */
export function wordsByField(card: Card): readonly (readonly string[])[] {
  const { title, tags = [], category = '', description = '' } = card
  return [wordsOf(title), tags.flatMap(wordsOf), wordsOf(category), wordsOf(description)]
}

/**
 * Returns the rank of a card in a search: the number of fields, in the order of `wordsByField`,
 * that together have all words as prefixes. 1 is the best rank; `undefined` means no match.
 */
export function searchRank(card: Card, words: readonly string[]): number | undefined {
  const fields = wordsByField(card)
  for (let rank = 1; rank <= fields.length; rank++) {
    const candidates = fields.slice(0, rank).flat()
    if (words.every((word) => candidates.some((it) => it.startsWith(word)))) return rank
  }
  return undefined
}

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
