import { stemmer, type WordIndex } from './word-index.ts'
import { wordsOf } from './words.ts'

/** An item by its number, and how well it answers. */
export type Ranked = { readonly item: number; readonly score: number }

/**
 * The parameters of BM25 (Robertson and Zaragoza, 2009), and the share of its score that an item gives
 * to its neighbours at each distance in a list.
 */
export const ranking = { k1: 0.8, b: 0.2, shares: [0.4, 0.2, 0.1] } as const

/** A word of a question that an index has: its stem, and the number of the stem. */
export type QuestionWord = { readonly stem: string; readonly number: number }

/** Returns the words of a question without fillers, unless it has nothing else. */
export function questionWords(
  { stems, language }: WordIndex,
  question: string,
): readonly QuestionWord[] {
  const words = [...new Set(wordsOf(question))].slice(0, mostWords)
  const others = words.filter((it) => language?.fillers.has(it) !== true)
  const chosen = others.length > 0 ? others : words
  const unique = new Set(chosen.map(stemmer(language)))
  return [...unique].flatMap((stem) => {
    const number = stems.get(stem)
    return number === undefined ? [] : [{ stem, number }]
  })
}

/** The most different words of a question that count. */
const mostWords = 200

/** Returns the items that share most with a question, the best first. */
export function rankItems(
  index: WordIndex,
  words: readonly QuestionWord[],
  most: number,
): readonly Ranked[] {
  const own = new Float64Array(index.places.length)
  for (const { number } of words) addGains(index, number, own)
  return best(withShares(index, own), most)
}

// biome-ignore lint/style/noRestrictedGlobals: A logarithm draws nothing at random.
const { log } = Math

/** Returns how rare a stem is that so many of the items have. */
export const rarity = (items: number, having: number): number =>
  log(1 + (items - having + 0.5) / (having + 0.5))

/** Returns the number of the items that have a stem. */
export const itemsWith = ({ starts }: WordIndex, stem: number): number =>
  (starts[stem + 1] as number) - (starts[stem] as number)

function addGains(index: WordIndex, stem: number, scores: Float64Array): void {
  const { starts, items, places } = index
  const weight = rarity(places.length, itemsWith(index, stem))
  const end = starts[stem + 1] as number
  for (let at = starts[stem] as number; at < end; at += 1) {
    const item = items[at] as number
    scores[item] = (scores[item] as number) + weight * gainAt(index, at)
  }
}

/** Returns what a posting adds to the score of its item, for a rarity of 1. */
function gainAt({ items, weights, lengths, meanLength }: WordIndex, at: number): number {
  const { k1, b } = ranking
  const weight = weights[at] as number
  const length = lengths[items[at] as number] as number
  return (weight * (k1 + 1)) / (weight + k1 * (1 - b + (b * length) / meanLength))
}

/** Returns the scores with the shares of the neighbours in each list. */
function withShares({ places }: WordIndex, own: Float64Array): Float64Array {
  const all = own.slice()
  for (const [item, score] of own.entries()) {
    if (score === 0) continue
    for (const [other, share] of neighbours(places, item)) {
      all[other] = (all[other] as number) + share * score
    }
  }
  return all
}

/** Yields the neighbours of an item in its list, with the share that one gets of the other. */
export function* neighbours(
  places: WordIndex['places'],
  item: number,
): Generator<readonly [item: number, share: number]> {
  const list = places[item]?.list
  for (const [nth, share] of ranking.shares.entries()) {
    for (const other of [item - nth - 1, item + nth + 1]) {
      if (places[other]?.list === list) yield [other, share]
    }
  }
}

/**
 * Returns what each word adds to the score of an item, for a rarity of 1: whoever asks several
 * memories weighs them by the rarity over all.
 */
export function weightsIn(
  index: WordIndex,
  words: readonly QuestionWord[],
  item: number,
): readonly number[] {
  const around = [[item, 1] as const, ...neighbours(index.places, item)]
  return words.map(({ number }) =>
    around.reduce((sum, [other, share]) => sum + share * gainOf(index, number, other), 0),
  )
}

function gainOf(index: WordIndex, stem: number, item: number): number {
  let [from, to] = [index.starts[stem] as number, index.starts[stem + 1] as number]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((index.items[middle] as number) < item) from = middle + 1
    else to = middle
  }
  const isFound = from < (index.starts[stem + 1] as number) && index.items[from] === item
  return isFound ? gainAt(index, from) : 0
}

function best(scores: Float64Array, most: number): readonly Ranked[] {
  const found: Ranked[] = []
  for (const [item, score] of scores.entries()) {
    const least = found.length < most ? 0 : (found.at(-1)?.score ?? 0)
    if (score <= least) continue
    const at = found.findLastIndex((it) => it.score >= score) + 1
    found.splice(at, 0, { item, score })
    if (found.length > most) found.pop()
  }
  return found
}
