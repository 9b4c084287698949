import { recoveryWords } from './recovery-words.ts'
import type { Secret, Stretch } from './secret.ts'

/** The fewest words of a recovery phrase (BIP-39); a word has 3 to 8 letters. */
const fewestWords = 12

/** Matches twelve or more short words with the separators of a list or a JSON text. */
const consecutiveWords =
  /(?:\b|(?<=\\[nrt]))[a-z]{3,8}(?:(?:\\[nrt]|[\s",'[\]\\.):\d-])+[a-z]{3,8}){11,}/gi

/** Finds the recovery phrases in a text. */
export function findRecoveryPhrases(text: string): readonly Secret[] {
  return [...text.matchAll(consecutiveWords)].flatMap(({ 0: part, index }) => {
    // The letter of an escaped line break is not part of a word.
    const found = [...part.replaceAll(/\\[nrt]/g, '  ').matchAll(/[a-z]+/gi)]
    const words = found.map((it): Stretch => [index + it.index, index + it.index + it[0].length])
    const runs = longRuns(words, (word) => isPhraseWord(text, word))
    return runs.map((run): Secret => phraseSecret(text, run))
  })
}

/** Returns whether a word can be part of a phrase. The name of a member with a text value is not. */
function isPhraseWord(text: string, [start, end]: Stretch): boolean {
  if (!recoveryWords.has(text.slice(start, end).toLowerCase())) return false
  const isName = /^\\*"\s*:\s*\\*"/.test(text.slice(end, end + 20))
  return !(isName && text.charAt(start - 1) === '"')
}

function phraseSecret(text: string, run: readonly Stretch[]): Secret {
  const [first, last] = [run[0]?.[0] ?? 0, run.at(-1)?.[1] ?? 0]
  return {
    kind: `a recovery phrase of ${run.length} words`,
    text: text.slice(first, last),
    parts: joinWords(text, run),
  }
}

/** Joins words to stretches, one for each string, as each string is redacted on its own. */
function joinWords(text: string, run: readonly Stretch[]): readonly Stretch[] {
  const parts: Stretch[] = []
  for (const [start, end] of run) {
    const last = parts.at(-1)
    if (last !== undefined && !/["']/.test(text.slice(last[1], start))) {
      parts[parts.length - 1] = [last[0], end]
    } else parts.push([start, end])
  }
  return parts
}

/** Returns the runs of consecutive matching items that are long enough for a phrase. */
function longRuns<T>(all: readonly T[], matches: (it: T) => boolean): readonly (readonly T[])[] {
  const runs: T[][] = [[]]
  for (const it of all) {
    if (matches(it)) runs.at(-1)?.push(it)
    else runs.push([])
  }
  return runs.filter(({ length }) => length >= fewestWords)
}
