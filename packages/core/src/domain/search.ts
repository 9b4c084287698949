import { Failure } from '../failure.ts'
import type { Card } from './card.ts'
import { wordsOf } from './words.ts'

/** A search may have this many different words. */
export const mostSearchWords = 16

/** A word of a search has this many letters; a shorter one begins too many words. */
export const shortestSearchWord = 2

/** How many fields of a card are searched: title, tags, category and description. */
export const searchedFields = 4

/**
 * Returns the different words of a search. Words of one letter are left out beside longer ones; a
 * text without any word asks for nothing.
 *
 * @throws `request/malformed` for too many words, and where none has two letters
 */
export function searchWords(search: string): readonly string[] {
  const all = [...new Set(wordsOf(search))]
  const words = all.filter((word) => [...word].length >= shortestSearchWord)
  if (all.length > 0 && words.length === 0) refuse('needs a word of two letters or more')
  if (words.length > mostSearchWords) refuse(`has more than ${mostSearchWords} different words`)
  return words
}

function refuse(problem: string): never {
  throw new Failure('request/malformed', { where: 'search', problem })
}

/** Returns the words of a card's title, of its tags, its category and its description. */
export function wordsByField(card: Card): readonly (readonly string[])[] {
  const { title, tags = [], category = '', description = '' } = card
  return [wordsOf(title), tags.flatMap(wordsOf), wordsOf(category), wordsOf(description)]
}

/**
 * Returns how well a card answers a search: how many fields, in the order of `wordsByField`, it
 * takes until each word is the beginning of one of theirs. 1 is best; `undefined` is no answer.
 */
export function searchRank(card: Card, words: readonly string[]): number | undefined {
  const fields = wordsByField(card)
  for (let rank = 1; rank <= fields.length; rank++) {
    const known = fields.slice(0, rank).flat()
    if (words.every((word) => known.some((it) => it.startsWith(word)))) return rank
  }
  return undefined
}
