import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  maxSearchWords,
  maxWordLength,
  searchRank,
  searchWords,
  wordsByField,
  wordsOf,
} from './search.ts'

const card = {
  title: 'Stoic gardens',
  tags: ['calm', 'Late Rome'],
  category: 'philosophy',
  description: 'Dialogues on a garden wall',
}

test('a search has different words, without words of one letter beside longer ones', () => {
  expect(searchWords('Stoic  STOIC, élan')).toEqual(['stoic', 'elan'])
  expect(searchWords('a stoic I')).toEqual(['stoic'])
  expect(searchWords('')).toEqual([])
  expect(searchWords(' %* --')).toEqual([])
})

test('a search of one letter, and one of too many words, is refused with its problem', () => {
  const malformed = (problem: string) => ({
    code: 'request/malformed',
    facts: { where: 'search', problem },
  })
  const thrownBy = (search: string) => {
    try {
      return searchWords(search)
    } catch (error) {
      return error
    }
  }
  for (const search of ['a', '猫', 'a b c', '\u{20000}']) {
    expect(thrownBy(search)).toMatchObject(malformed('needs a word of two letters or more'))
  }
  const words = Array.from({ length: maxSearchWords + 1 }, (_, index) => `w${index}`)
  expect(searchWords(words.slice(1).join(' '))).toEqual(words.slice(1))
  expect(thrownBy(words.join(' '))).toMatchObject(malformed('has more than 16 different words'))
})

test('the rank of a card is the field that matches the last of the words', () => {
  expect(searchRank(card, ['gard'])).toBe(1)
  expect(searchRank(card, ['rome', 'stoi'])).toBe(2)
  expect(searchRank(card, ['philo', 'stoi'])).toBe(3)
  expect(searchRank(card, ['dialog', 'stoi'])).toBe(4)
  expect(searchRank(card, ['arden'])).toBe(undefined)
  expect(searchRank(card, ['stoic', 'zebra'])).toBe(undefined)
})

test('a word is compared by its first letters only', () => {
  const long = 'a'.repeat(2000)
  expect(wordsOf(long)).toEqual(['a'.repeat(maxWordLength)])
  expect(searchRank({ title: long }, searchWords(`${long}b`))).toBe(1)
  const astral = '\u{20000}'.repeat(maxWordLength + 1)
  expect(wordsOf(astral)).toEqual(['\u{20000}'.repeat(maxWordLength)])
})

test('every prefix of two or more letters of a word finds the card', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), (title, length) => {
      for (const word of wordsByField({ title })[0] ?? []) {
        const search = [...word].slice(0, 2 + length).join('')
        if ([...search].length > 1) expect(searchRank({ title }, searchWords(search))).toBe(1)
      }
    }),
  )
})
