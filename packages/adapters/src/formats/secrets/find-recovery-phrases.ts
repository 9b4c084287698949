import { recoveryWords } from './recovery-words.ts'
import type { Secret, Stretch } from './secret.ts'

/** The least number of words of a recovery phrase (BIP-39), each of 3 to 8 letters. */
const shortest = 12

/** Short words, one after the other, with what a list or a JSON text puts between them. */
const manyWords =
  /(?:\b|(?<=\\[nrt]))[a-z]{3,8}(?:(?:\\[nrt]|[\s",'[\]\\.):\d-])+[a-z]{3,8}){11,}/gi

/** Returns the recovery phrases in a text. */
export function recoveryPhrases(text: string): readonly Secret[] {
  return [...text.matchAll(manyWords)].flatMap(({ 0: part, index }) => {
    // An escaped line break ends in a letter that belongs to no word.
    const found = [...part.replaceAll(/\\[nrt]/g, '  ').matchAll(/[a-z]+/gi)]
    const words = found.map((it): Stretch => [index + it.index, index + it.index + it[0].length])
    const runs = runsOf(words, (word) => isOfPhrase(text, word))
    return runs.map((run): Secret => phrase(text, run))
  })
}

/** Tells whether a word may be of a phrase; the name of a member whose value is a text is not. */
function isOfPhrase(text: string, [start, end]: Stretch): boolean {
  if (!recoveryWords.has(text.slice(start, end).toLowerCase())) return false
  const isName = /^\\*"\s*:\s*\\*"/.test(text.slice(end, end + 20))
  return !(isName && text.charAt(start - 1) === '"')
}

function phrase(text: string, run: readonly Stretch[]): Secret {
  const [first, last] = [run[0]?.[0] ?? 0, run.at(-1)?.[1] ?? 0]
  return {
    kind: `a recovery phrase of ${run.length} words`,
    text: text.slice(first, last),
    parts: joined(text, run),
  }
}

/** Joins words into one stretch, but not over a quote: each string is redacted on its own. */
function joined(text: string, run: readonly Stretch[]): readonly Stretch[] {
  const parts: Stretch[] = []
  for (const [start, end] of run) {
    const last = parts.at(-1)
    if (last !== undefined && !/["']/.test(text.slice(last[1], start))) {
      parts[parts.length - 1] = [last[0], end]
    } else parts.push([start, end])
  }
  return parts
}

/** Returns the longest stretches of what belongs, those that are long enough. */
function runsOf<T>(all: readonly T[], belongs: (it: T) => boolean): readonly (readonly T[])[] {
  const runs: T[][] = [[]]
  for (const it of all) {
    if (belongs(it)) runs.at(-1)?.push(it)
    else runs.push([])
  }
  return runs.filter(({ length }) => length >= shortest)
}
