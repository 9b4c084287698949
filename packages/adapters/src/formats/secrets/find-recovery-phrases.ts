import { sha256 } from 'viem'
import {
  czech,
  english,
  french,
  italian,
  japanese,
  korean,
  portuguese,
  simplifiedChinese,
  spanish,
  traditionalChinese,
} from 'viem/accounts'
import type { Secret, Stretch } from './secret.ts'

/** The numbers of words of recovery phrases (BIP-39), the highest first. */
const lengths = [24, 21, 18, 15, 12] as const

/** Matches a word of any script, with its marks. */
const anyWord = /[\p{L}\p{M}]+/gu

/** The longest word of a list, in UTF-16 units; accents and syllables may be marks of their own. */
const longestWord = 24

/**
 * Finds the recovery phrases in a text: 12, 15, 18, 21 or 24 words of one list of BIP-39 whose
 * checksum is right. Well-known phrases that repeat a word are left out.
 */
export function findRecoveryPhrases(text: string): readonly Secret[] {
  return wordsIn(text).flatMap((words) =>
    runsOfWords(text, words).flatMap((run) =>
      phrasesIn(run).map((phrase) => phraseSecret(text, phrase)),
    ),
  )
}

/** A word of a list in a text, and its place in the list. */
type Word = { readonly at: Stretch; readonly index: number }
type Run = readonly Word[]

/** Returns the words of each list in a text. */
function wordsIn(text: string): readonly Run[] {
  const words: readonly Word[][] = recoveryWordLists.map(() => [])
  // The letter of an escaped line break is not part of a word.
  const unescaped = text.replaceAll(/\\[nrt]/g, '  ')
  for (const { 0: word, index: start } of unescaped.matchAll(anyWord))
    for (const { list, index } of placesOf(word))
      words[list]?.push({ at: [start, start + word.length], index })
  return words
}

const placesOf = (word: string) =>
  word.length > longestWord ? [] : (placesOfWord.get(normalizeWord(word)) ?? [])

/** Splits words into runs that a phrase can be part of. */
function runsOfWords(text: string, words: Run): readonly Run[] {
  const runs: Word[][] = []
  for (const word of words.filter(({ at }) => !isMemberName(text, at))) {
    const last = runs.at(-1)?.at(-1)
    const isNext = last !== undefined && isSeparator(text.slice(last.at[1], word.at[0]))
    if (isNext) runs.at(-1)?.push(word)
    else runs.push([word])
  }
  return runs
}

/** Returns whether a word is the name of a member with a text value. */
function isMemberName(text: string, [start, end]: Stretch): boolean {
  return text.charAt(start - 1) === '"' && /^\\*"\s*:\s*\\*"/.test(text.slice(end, end + 20))
}

/** Matches what separates two words of a phrase, in a sentence, a list or a JSON text. */
const separator = /^(?:\\[nrt]|[\s",'[\]\\.):\d*-])+$/

/**
 * Returns whether a text separates two words of a phrase: in `tool-0` the number is part of the name,
 * and after a full stop or a colon another text begins.
 */
function isSeparator(between: string): boolean {
  return between.length <= 60 && !/^[-\d.:]/.test(between) && separator.test(between)
}

/** Returns the phrases in a run: the longest first, none within another. */
function phrasesIn(run: Run): readonly Run[] {
  const phrases: Run[] = []
  const places = run.map(({ index }) => index)
  let at = 0
  while (at <= run.length - 12) {
    const length = lengths.find(
      (count) => at + count <= run.length && isPhrase(places.slice(at, at + count)),
    )
    if (length !== undefined) phrases.push(run.slice(at, at + length))
    at += length ?? 1
  }
  return phrases
}

// Phrases such as `test test test … junk` are in documentation, and everyone has their keys.
const isPhrase = (places: readonly number[]): boolean =>
  new Set(places).size > places.length / 2 && hasChecksum(places)

function phraseSecret(text: string, run: Run): Secret {
  const [first, last] = [run[0]?.at[0] ?? 0, run.at(-1)?.at[1] ?? 0]
  return {
    kind: `a recovery phrase of ${run.length} words`,
    text: text.slice(first, last),
    parts: joinWords(text, run),
  }
}

/** Joins words to stretches, one for each string, as each string is redacted on its own. */
function joinWords(text: string, run: Run): readonly Stretch[] {
  const parts: Stretch[] = []
  for (const {
    at: [start, end],
  } of run) {
    const last = parts.at(-1)
    if (last !== undefined && !/["']/.test(text.slice(last[1], start))) {
      parts[parts.length - 1] = [last[0], end]
    } else parts.push([start, end])
  }
  return parts
}

/**
 * Returns whether the checksum of a recovery phrase is right (BIP-39): the places of its words in their
 * list, 11 bits each, are the entropy and behind it the first bits of its SHA-256, one for each three
 * words.
 */
export function hasChecksum(places: readonly number[]): boolean {
  const entropy = new Uint8Array((places.length * 4) / 3)
  let [at, held, bits] = [0, 0, 0]
  for (const place of places) {
    held = (held << 11) | place
    bits += 11
    for (; bits >= 8 && at < entropy.length; bits -= 8) {
      entropy[at++] = held >> (bits - 8)
      held &= (1 << (bits - 8)) - 1
    }
  }
  const [first = 0] = sha256(entropy, 'bytes')
  return first >> (8 - places.length / 3) === held
}

/** The lists of 2,048 words of recovery phrases (BIP-39), each in the order of the list. */
const recoveryWordLists: readonly string[][] = [
  english,
  spanish,
  french,
  italian,
  portuguese,
  czech,
  japanese,
  korean,
  simplifiedChinese,
  traditionalChinese,
]

const isAscii = /^[a-z]*$/i

/** Returns a word in the form of the lists (BIP-39): decomposed, in small letters. */
const normalizeWord = (word: string): string =>
  (isAscii.test(word) ? word : word.normalize('NFKD')).toLowerCase()

/** The place of a word in a list of 2,048. */
type WordPlace = { readonly list: number; readonly index: number }

/** The places of a word in the lists. */
const placesOfWord: ReadonlyMap<string, readonly WordPlace[]> = indexWords()

function indexWords(): ReadonlyMap<string, readonly WordPlace[]> {
  const places = new Map<string, WordPlace[]>()
  for (const [list, words] of recoveryWordLists.entries()) {
    for (const [index, text] of words.entries()) {
      const word = normalizeWord(text)
      places.set(word, [...(places.get(word) ?? []), { list, index }])
    }
  }
  return places
}
