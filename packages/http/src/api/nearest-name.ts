/** The shortest name that may differ by one letter, and by two: short words are alike by chance. */
const [shortest, long] = [5, 8]

/**
 * Returns the known name that a name looks like: one with the same letters, one that begins with it or
 * that it begins with, or one that differs by one or two letters; `undefined` for none.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined
  const typed = lettersOf(name)
  const sameLetters = known.find((it) => lettersOf(it) === typed)
  if (sameLetters !== undefined || typed.length < shortest) return sameLetters
  const begins = known.find((it) => isBeginning(lettersOf(it), typed))
  if (begins !== undefined) return begins
  const letters = known.map(lettersOf)
  const found = closestName(typed, letters, typed.length < long ? 1 : 2)
  return found === undefined ? undefined : known[letters.indexOf(found)]
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[_-]/g, '')

const isBeginning = (one: string, other: string) =>
  one.length >= shortest && (one.startsWith(other) || other.startsWith(one))

/**
 * Returns the first of the known names that differ from a name in the fewest letters; `undefined` when
 * that is more than `most`. It is no library, because the client has no dependency.
 */
export function closestName(
  name: string,
  known: readonly string[],
  most: number,
): string | undefined {
  // A name that is longer by more letters differs in more.
  const alike = known.filter((it) => Math.abs(it.length - name.length) <= most)
  const distances = alike.map((it) => distance(name, it))
  const least = Math.min(...distances)
  return least > most ? undefined : alike[distances.indexOf(least)]
}

/** Returns how many letters must be added, removed or replaced to make one text of another (Levenshtein). */
function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [row, letter] of [...from].entries()) {
    let last = row + 1
    const next = [...to].map((other, at) => {
      const replaced = (above[at] ?? 0) + Number(other !== letter)
      last = Math.min(replaced, last + 1, (above[at + 1] ?? 0) + 1)
      return last
    })
    above = [row + 1, ...next]
  }
  return above.at(-1) ?? 0
}

/** Words of a question that no item has, each with the nearest that one has. */
type Misspelt = readonly { readonly word: string; readonly nearest: string }[]

/** The hints of a search inside a memory. */
type Hints = { readonly misspelt?: Misspelt | undefined; readonly isTooLarge?: true | undefined }

/** Returns a sentence on a memory or words of a question that are not found by their forms, if any. */
export const searchNote = ({ misspelt, isTooLarge }: Hints): string | undefined =>
  isTooLarge === undefined ? misspeltNote(misspelt) : tooLargeNote

const tooLargeNote =
  'This memory is too large for an index, so the text was looked for as it stands: search for one word.'

/** Returns a sentence on the words of a question that look like others; `undefined` without any. */
export const misspeltNote = (misspelt: Misspelt = []): string | undefined =>
  misspelt.length === 0
    ? undefined
    : misspelt
        .map(({ word, nearest }) => `No item has “${word}”; the nearest word is “${nearest}”.`)
        .join(' ')
