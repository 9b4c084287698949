/** A word of the cards and the number of cards that have it. */
export type KnownWord = { readonly word: string; readonly cards: number }

/** Returns how many letters of a search word may be wrong: 1 from four letters on, 2 from eight on. */
export function typosAllowed(word: string): number {
  const { length } = [...word]
  return length < 4 ? 0 : length < 8 ? 1 : 2
}

/** Returns the letters that a word similar to this one may begin with: its first, or swapped, its second. */
export const firstLetters = (word: string): readonly string[] => [...new Set([...word].slice(0, 2))]

/**
 * Returns the known word that a misspelt word most likely means: the one that begins with the fewest
 * wrong letters, then the one that most cards have, then the first in the order of code points. A
 * letter that is missing, extra, wrong or swapped with the next counts as one (Damerau-Levenshtein,
 * each stretch edited once). `undefined` when none is similar enough.
 */
export function nearestWord(word: string, known: Iterable<KnownWord>): string | undefined {
  const limit = typosAllowed(word)
  const letters = [...word]
  const firsts = firstLetters(word)
  if (limit === 0) return undefined
  const compare = (candidate: KnownWord): Found | undefined => {
    const others = [...candidate.word]
    if (!firsts.includes(others[0] ?? '')) return undefined
    const typos = countTypos(letters, others, limit)
    return typos > limit ? undefined : { ...candidate, typos }
  }
  let nearest: Found | undefined
  for (const candidate of known) nearest = nearerOf(nearest, compare(candidate))
  return nearest?.word
}

function nearerOf(one: Found | undefined, other: Found | undefined): Found | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return compareFound(other, one) < 0 ? other : one
}

type Found = KnownWord & { readonly typos: number }

const compareFound = (one: Found, other: Found): number =>
  one.typos - other.typos || other.cards - one.cards || compareCodePoints(one.word, other.word)

/** Compares two texts by their code points, as databases compare the bytes of UTF-8. */
export function compareCodePoints(one: string, other: string): number {
  const [left, right] = [[...one], [...other]]
  for (const [index, letter] of left.entries()) {
    const [a, b] = [letter.codePointAt(0) ?? 0, right[index]?.codePointAt(0) ?? -1]
    if (a !== b) return a - b
  }
  return left.length - right.length
}

/**
 * Returns the least number of wrong letters between a word and any prefix of another; a number above
 * `limit` when there are more.
 */
function countTypos(word: readonly string[], other: readonly string[], limit: number): number {
  const columns = other.slice(0, word.length + limit)
  let rows: Rows = { before: [], row: [0, ...columns.map((_, index) => index + 1)] }
  for (const index of word.keys()) {
    const row = nextRow(rows, { word, columns, index, limit })
    if (least(row) > limit) return limit + 1
    rows = { before: rows.row, row }
  }
  return least(rows.row)
}

/** Two rows of the table of distances: of the last letter, and of the one before. */
type Rows = { readonly before: readonly number[]; readonly row: readonly number[] }

type Step = {
  readonly word: readonly string[]
  readonly columns: readonly string[]
  /** The place of the next letter in the word. */
  readonly index: number
  readonly limit: number
}

/** A distance beyond every limit. */
const far = 1000

/** Returns the next row, in which all that is too far from the diagonal to be within the limit is `far`. */
function nextRow({ before, row }: Rows, { word, columns, index, limit }: Step): readonly number[] {
  const next = new Array<number>(columns.length + 1).fill(far)
  next[0] = index + 1
  for (const [column, its] of columns.slice(0, index + limit + 1).entries()) {
    if (column < index - limit) continue
    const isSwapped = word[index] === columns[column - 1] && word[index - 1] === its
    const replaced = at(row, column) + (word[index] === its ? 0 : 1)
    const swapped = isSwapped ? at(before, column - 1) + 1 : far
    const [missing, extra] = [at(row, column + 1) + 1, at(next, column) + 1]
    next[column + 1] = least([replaced, missing, extra, swapped])
  }
  return next
}

const at = (row: readonly number[], index: number): number => row[index] ?? far

function least(numbers: readonly number[]): number {
  let found = far
  for (const number of numbers) {
    if (number < found) found = number
  }
  return found
}
