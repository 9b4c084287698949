import { validateMnemonic } from '@scure/bip39'
import { recoveryWordList, recoveryWords } from './recovery-words.ts'
import type { Secret, Stretch } from './secret.ts'

/** The numbers of words of recovery phrases (BIP-39), the highest first. */
const lengths = [24, 21, 18, 15, 12] as const

/** Matches twelve or more short words with the separators of a list or a JSON text. */
const consecutiveWords =
  /(?:\b|(?<=\\[nrt]))[a-z]{3,8}(?:(?:\\[nrt]|[\s",'[\]\\.):\d*-])+[a-z]{3,8}){11,}/gi

/**
 * Finds the recovery phrases in a text: 12, 15, 18, 21 or 24 words of the English list whose checksum
 * is right (BIP-39). Well-known phrases that repeat a word are left out.
 */
export function findRecoveryPhrases(text: string): readonly Secret[] {
  return [...text.matchAll(consecutiveWords)].flatMap(({ 0: part, index }) => {
    // The letter of an escaped line break is not part of a word.
    const found = [...part.replaceAll(/\\[nrt]/g, '  ').matchAll(/[a-z]+/gi)]
    const words = found.map((it): Stretch => [index + it.index, index + it.index + it[0].length])
    return runsOfWords(text, words).flatMap((run) =>
      phrasesIn(text, run).map((phrase) => phraseSecret(text, phrase)),
    )
  })
}

type Run = readonly Stretch[]

/** Splits words into runs that a phrase can be part of. */
function runsOfWords(text: string, words: Run): readonly Run[] {
  const runs: Stretch[][] = []
  for (const word of words.filter((it) => isPhraseWord(text, it))) {
    const last = runs.at(-1)?.at(-1)
    if (last !== undefined && isSeparator(text.slice(last[1], word[0]))) runs.at(-1)?.push(word)
    else runs.push([word])
  }
  return runs
}

/** Returns whether a word can be part of a phrase. The name of a member with a text value is not. */
function isPhraseWord(text: string, [start, end]: Stretch): boolean {
  if (!recoveryWords.has(text.slice(start, end).toLowerCase())) return false
  const isName = /^\\*"\s*:\s*\\*"/.test(text.slice(end, end + 20))
  return !(isName && text.charAt(start - 1) === '"')
}

/**
 * Returns whether a text separates two words of a phrase: in `tool-0` the number is part of the name,
 * and after a full stop or a colon another text begins.
 */
function isSeparator(between: string): boolean {
  return !/^[-\d.:]/.test(between) && !/[a-z]/i.test(between.replaceAll(/\\[nrt]/g, ''))
}

/** Returns the phrases in a run: the longest first, none within another. */
function phrasesIn(text: string, run: Run): readonly Run[] {
  const phrases: Run[] = []
  let at = 0
  while (at <= run.length - 12) {
    const length = lengths.find((count) => isPhrase(text, run.slice(at, at + count), count))
    if (length !== undefined) phrases.push(run.slice(at, at + length))
    at += length ?? 1
  }
  return phrases
}

function isPhrase(text: string, run: Run, count: number): boolean {
  if (run.length < count) return false
  const words = run.map(([start, end]) => text.slice(start, end).toLowerCase())
  // Phrases such as `test test test … junk` are in documentation, and everyone has their keys.
  return new Set(words).size > count / 2 && validateMnemonic(words.join(' '), recoveryWordList)
}

function phraseSecret(text: string, run: Run): Secret {
  const [first, last] = [run[0]?.[0] ?? 0, run.at(-1)?.[1] ?? 0]
  return {
    kind: `a recovery phrase of ${run.length} words`,
    text: text.slice(first, last),
    parts: joinWords(text, run),
  }
}

/** Joins words to stretches, one for each string, as each string is redacted on its own. */
function joinWords(text: string, run: Run): readonly Stretch[] {
  const parts: Stretch[] = []
  for (const [start, end] of run) {
    const last = parts.at(-1)
    if (last !== undefined && !/["']/.test(text.slice(last[1], start))) {
      parts[parts.length - 1] = [last[0], end]
    } else parts.push([start, end])
  }
  return parts
}
