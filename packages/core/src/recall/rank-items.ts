import { stemmer, type WordIndex } from './word-index.ts'
import { type Language, likelyLanguage, wordsOf } from './words.ts'

/** An item by its number, and how well it answers. */
export type Ranked = { readonly item: number; readonly score: number }

/**
 * The parameters of BM25 (Robertson and Zaragoza, 2009), and the shares at which the words of the items
 * before and after an item in its list count as its own, the nearest first: an answer comes after what
 * it answers more often than before it.
 */
export const ranking = {
  k1: 0.8,
  b: 0.2,
  before: [0.5, 0.3, 0.15, 0.1],
  after: [0.3, 0.2, 0.1, 0.05],
} as const

/** A word of a question: its stem, and each stem of an index that counts for it. */
export type QuestionWord = {
  /** The first of the words that have the stem, in lower case. */
  readonly word: string
  readonly stem: string
  readonly found: readonly FoundStem[]
}

/** The number of a stem of an index, and the share of a whole word that it counts. */
type FoundStem = { readonly number: number; readonly share: number }

/** Returns the words of a question without fillers, unless it has nothing else. */
export function questionWords(index: WordIndex, question: string): readonly QuestionWord[] {
  const reading = readingFor(index, question)
  const { language, numbersOf } = reading
  const words = [...new Set(wordsOf(question))].slice(0, most.words)
  const others = words.filter((it) => !language.fillers.has(it))
  const chosen = others.length > 0 ? others : words
  const stems = Map.groupBy(chosen, stemmer(language))
  return [...stems].map(([stem, [word = stem]], nth) => ({
    word,
    stem,
    found: [
      ...numbersOf(stem).map((number) => ({ number, share: 1 })),
      ...otherForms(reading, stem),
      ...(nth < most.joined ? joinedStems(reading, stem) : []),
    ],
  }))
}

/** The most words of a question that count, that are looked for in joined words, and stems of one. */
const most = { words: 200, joined: 20, stems: 100 } as const

/** The stems of an index in a language, each with its number. */
type Reading = {
  readonly language: Language
  readonly stems: Iterable<readonly [stem: string, number: number]>
  readonly numbersOf: (stem: string) => readonly number[]
}

/** Reads an index in its language, or in the one that it and a question have most likely. */
function readingFor({ language, stems, places }: WordIndex, question: string): Reading {
  if ('stem' in language)
    return { language, stems, numbersOf: (stem) => [stems.get(stem) ?? []].flat() }
  const texts = places.slice(0, sampled.items).map(({ text }) => text.slice(0, sampled.length))
  const likely = likelyLanguage([question, ...texts].join(' '), language)
  const stemOf = stemmer(likely)
  const read = Map.groupBy(stems, ([word]) => stemOf(word))
  const numbersOf = (stem: string) => (read.get(stem) ?? []).map(([, number]) => number)
  const all = [...read].flatMap(([stem, words]) => words.map(([, it]) => [stem, it] as const))
  return { language: likely, stems: all, numbersOf }
}

/** The items by which the language is guessed at a question, and the characters of each. */
const sampled = { items: 100, length: 200 } as const

/** Returns the stems that are a stem with or without an ending. */
function otherForms({ language, numbersOf }: Reading, stem: string): readonly FoundStem[] {
  const { endings = [] } = language
  const shorter = endings.filter((it) => stem.endsWith(it)).map((it) => stem.slice(0, -it.length))
  const others = [...endings.map((it) => stem + it), ...shorter]
  return others.flatMap(numbersOf).map((number) => ({ number, share: joined.share }))
}

/** Returns the stems that begin or end with a stem, and those with which it begins or ends. */
function joinedStems({ stems, language, numbersOf }: Reading, stem: string): readonly FoundStem[] {
  if (language.joinsWords !== true) return []
  const parts = partsOf(stem).filter((it) => !language.fillers.has(it))
  const found = parts.flatMap(numbersOf)
  for (const [other, number] of stems) {
    if (isPart(stem, other)) found.push(number)
    if (found.length >= most.stems) break
  }
  return found.map((number) => ({ number, share: joined.share }))
}

/** The share of a joined word, and the fewest letters of a first part, a last part, and of the rest. */
const joined = { share: 0.5, first: 5, last: 4, rest: 3 } as const

/** Reports whether a longer stem begins or ends with a stem, as “zahnarzttermin” does with “termin”. */
const isPart = (stem: string, whole: string): boolean =>
  whole.length >= stem.length + joined.rest &&
  ((stem.length >= joined.first && whole.startsWith(stem)) ||
    (stem.length >= joined.last && whole.endsWith(stem)))

const partsOf = (whole: string): readonly string[] =>
  Array.from(whole, (_, at) => [whole.slice(0, at), whole.slice(at)])
    .flat()
    .filter((it) => isPart(it, whole))

/** Returns the items that share most with a question, the best first. */
export function rankItems(
  index: WordIndex,
  words: readonly QuestionWord[],
  count: number,
): readonly Ranked[] {
  const scores = new Float64Array(index.places.length)
  const counts = new Float64Array(scores.length)
  for (const word of words) {
    countAround(index, word, counts)
    const weight = rarity(scores.length, itemsWith(index, word))
    for (let item = 0; item < counts.length; item += 1) {
      const found = counts[item] as number
      if (found > 0) scores[item] = (scores[item] as number) + weight * gainOf(found)
    }
    counts.fill(0)
  }
  return best(scores, count)
}

// biome-ignore lint/style/noRestrictedGlobals: These draw nothing at random.
const { log, min } = Math

/** Returns how rare a stem is that so many of the items have. */
export const rarity = (items: number, having: number): number =>
  log(1 + (items - having + 0.5) / (having + 0.5))

/** Returns the number of the items that have a word, those with several stems of it several times. */
export function itemsWith({ starts, places }: WordIndex, { found }: QuestionWord): number {
  const all = found.reduce(
    (sum, { number: at }) => sum + startOf(starts, at + 1) - startOf(starts, at),
    0,
  )
  return min(all, places.length)
}

const startOf = (starts: WordIndex['starts'], stem: number): number => starts[stem] as number

/** Adds how often a word is in each item and around it. */
function countAround(index: WordIndex, { found }: QuestionWord, counts: Float64Array): void {
  const { starts, items, lists } = index
  const { before, after } = ranking
  const add = (item: number, list: number | undefined, count: number) => {
    if (lists[item] === list) counts[item] = (counts[item] as number) + count
  }
  for (const { number, share } of found) {
    const end = startOf(starts, number + 1)
    for (let at = startOf(starts, number); at < end; at += 1) {
      const item = items[at] as number
      const [list, count] = [lists[item], share * countAt(index, at)]
      add(item, list, count)
      for (let nth = 0; nth < before.length; nth += 1) {
        add(item + nth + 1, list, count * (before[nth] as number))
        add(item - nth - 1, list, count * (after[nth] as number))
      }
    }
  }
}

/** Returns how often a posting has its stem, in a long item less. */
function countAt({ items, weights, lengths, meanLength }: WordIndex, at: number): number {
  const length = lengths[items[at] as number] as number
  return (weights[at] as number) / (1 - ranking.b + (ranking.b * length) / meanLength)
}

/** Returns what a word that an item has so often adds to its score, for a rarity of 1. */
const gainOf = (count: number): number => (count * (ranking.k1 + 1)) / (count + ranking.k1)

/** Returns the neighbours of an item in its list, with the share at which their words count for it. */
export function neighbours({ lists }: WordIndex, item: number): readonly Neighbour[] {
  const found: Neighbour[] = []
  for (let nth = 0; nth < ranking.before.length; nth += 1) {
    const [previous, next] = [item - nth - 1, item + nth + 1]
    if (lists[previous] === lists[item])
      found.push({ item: previous, share: ranking.before[nth] as number })
    if (lists[next] === lists[item]) found.push({ item: next, share: ranking.after[nth] as number })
  }
  return found
}

type Neighbour = { readonly item: number; readonly share: number }

/**
 * Returns what each word adds to the score of an item, for a rarity of 1. The answers
 * of several memories weigh them by the rarity over all.
 */
export function weightsIn(
  index: WordIndex,
  words: readonly QuestionWord[],
  item: number,
): readonly number[] {
  const around = [{ item, share: 1 }, ...neighbours(index, item)]
  return words.map(({ found }) => {
    let count = 0
    for (const near of around)
      for (const { number, share } of found)
        count += near.share * share * countOf(index, number, near.item)
    return gainOf(count)
  })
}

function countOf(index: WordIndex, stem: number, item: number): number {
  let [from, to] = [index.starts[stem] as number, index.starts[stem + 1] as number]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((index.items[middle] as number) < item) from = middle + 1
    else to = middle
  }
  const isFound = from < (index.starts[stem + 1] as number) && index.items[from] === item
  return isFound ? countAt(index, from) : 0
}

function best(scores: Float64Array, count: number): readonly Ranked[] {
  const found: Ranked[] = []
  let least = 0
  for (let item = 0; item < scores.length; item += 1) {
    const score = scores[item] as number
    if (score <= least) continue
    found.splice(placeOf(score, found), 0, { item, score })
    if (found.length > count) found.pop()
    if (found.length === count) least = found.at(-1)?.score ?? 0
  }
  return found
}

/** Returns the place of a score after all that are at least as high. */
function placeOf(score: number, found: readonly Ranked[]): number {
  let [from, to] = [0, found.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((found[middle] as Ranked).score >= score) from = middle + 1
    else to = middle
  }
  return from
}
