import { itemBatches, type RecallItem } from './recall-items.ts'
import {
  type Language,
  type Languages,
  languageOf,
  likelyLanguage,
  plainWord,
  wordsOf,
} from './words.ts'

/** The words of a memory: which items have which, and how often. */
export type WordIndex = {
  readonly places: readonly RecallPlace[]
  /** The number of the list that each item is in; neighbours have the same. */
  readonly lists: Uint32Array
  /** The languages of which a question has one, where the memory is too small to know its own. */
  readonly language: Language | Languages
  /** The number of each stem; of each word where a question has the language. */
  readonly stems: ReadonlyMap<string, number>
  /** The postings of stem n begin at `starts[n]` and end at `starts[n + 1]`. */
  readonly starts: Uint32Array
  /** The item of each posting, and the weight of the stem in it. */
  readonly items: Uint32Array
  readonly weights: Float32Array
  /** The weight of all words of each item, and of an item at the mean. */
  readonly lengths: Float32Array
  readonly meanLength: number
  /** About the bytes of memory that it takes. */
  readonly size: number
}

/** An item without its words. */
export type RecallPlace = Omit<RecallItem, 'values' | 'names' | 'list'>

/** The weight of a word among the names, beside 1 among the values. */
const nameWeight = 0.3

/** The characters of a memory by which its language is known. */
const sampleLength = 20_000

/** The most items of an index, of its different words, and of the words of all items. */
export type IndexBounds = {
  readonly items: number
  readonly words: number
  readonly postings: number
}

const unbounded: IndexBounds = { items: 1e9, words: 1e9, postings: 1e9 }

/** Builds the index of a parsed document. */
export function wordIndex(document: unknown, languages: Languages): WordIndex {
  const steps = indexSteps(document, languages, unbounded)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value as WordIndex
  }
}

/** Builds the index of a parsed document step by step; `undefined` where it is beyond the bounds. */
export function* indexSteps(
  document: unknown,
  languages: Languages,
  bounds: IndexBounds,
): Generator<undefined, WordIndex | undefined> {
  const places: RecallPlace[] = []
  const lists: number[] = []
  const [sample, postings] = [sampler(), collector()]
  for (const batch of itemBatches(document)) {
    for (const { values, names, list, ...place } of batch) {
      postings.add({ values, names })
      sample.add(values)
      places.push(place)
      lists.push(list)
    }
    const counts = { items: places.length, words: postings.words.size, postings: postings.count() }
    if (isBeyond(counts, bounds)) return undefined
    yield
  }
  const isSmall = postings.words.size <= mostUnstemmed
  const language =
    languageOf(sample.text(), languages) ?? (isSmall ? languages : likelyLanguage('', languages))
  const { stems, stemOf } = yield* stemsOf(postings.words.keys(), language)
  const sorted = yield* sortByStem(postings.all(), stemOf, stems.size)
  return withSums({ places, lists: Uint32Array.from(lists), language, stems, ...sorted })
}

function withSums(index: Omit<WordIndex, 'meanLength' | 'size'>): WordIndex {
  const { places, stems, items, lengths } = index
  const meanLength = lengths.reduce((sum, it) => sum + it, 0) / (lengths.length || 1)
  const texts = places.reduce((sum, { text }) => sum + text.length, 0)
  const size = texts + items.length * 8 + places.length * placeSize + stems.size * stemSize
  return { ...index, meanLength, size }
}

const isBeyond = ({ items, words, postings }: IndexBounds, most: IndexBounds): boolean =>
  items > most.items || words > most.words || postings > most.postings

function numberIn(words: Map<string, number>, word: string): number {
  const known = words.get(word)
  if (known !== undefined) return known
  words.set(word, words.size)
  return words.size - 1
}

/** Numbers the stems of words in their order, and returns the stem of each word by their numbers. */
function* stemsOf(words: Iterable<string>, language: WordIndex['language']) {
  const stem = stemmer(language)
  const stems = new Map<string, number>()
  const stemOf: number[] = []
  for (const word of words) {
    stemOf.push(numberIn(stems, stem(word)))
    if (stemOf.length % wordsAtOnce === 0) yield
  }
  return { stems, stemOf }
}

/** The most words that are stemmed at each question, in the language that the question has. */
const mostUnstemmed = 500

/** The words whose stems are found at once. */
const wordsAtOnce = 10_000

/** About the bytes of a place and of a stem. */
const [placeSize, stemSize] = [240, 120]

/**
 * Returns the stem of each word in one language; the word itself where its language is not known, and
 * where it has no ending in any.
 */
export const stemmer =
  (language: WordIndex['language']) =>
  (word: string): string =>
    'stem' in language && !stemless.test(word) ? plainWord(language.stem(word)) : word

// Numbers, and long words with digits: the hashes and embeddings of a memory have more different words
// than its texts, so that their stems would take a third of the time of its index.
const stemless = /^(?:\d+|(?=\D*\d)[a-z\d]{16,})$/

/** Collects texts from all over a memory. */
function sampler() {
  let [texts, count, step]: [string[], number, number] = [[], 0, 1]
  return {
    add: (values: readonly string[]): void => {
      if (count % step === 0) texts.push(values.join(' ').slice(0, 1000))
      count += 1
      if (texts.length < 2 * mostSampled) return
      texts = texts.filter((_, at) => at % 2 === 0)
      step *= 2
    },
    text: () => texts.join('\n').slice(0, sampleLength),
  }
}

/** The items that a sample has at least, if there are as many. */
const mostSampled = 100

/** Numbers the words of items, and collects them in the order of the items. */
function collector() {
  let [count, words, weights] = [0, new Uint32Array(1024), new Float32Array(1024)]
  const numbers = new Map<string, number>()
  const ends: number[] = []
  /** The weight of each word in the next item, and the words that it has. */
  const [sums, found]: [number[], number[]] = [[], []]
  const addText = (text: string, weight: number) => {
    for (const word of wordsOf(text)) {
      const number = numberIn(numbers, word)
      const sum = sums[number] ?? 0
      if (sum === 0) found.push(number)
      sums[number] = sum + weight
    }
  }
  const grow = () => {
    const [before, beforeWeights] = [words, weights]
    const room = (words.length * 1.5) | 0
    ;[words, weights] = [new Uint32Array(room), new Float32Array(room)]
    words.set(before)
    weights.set(beforeWeights)
  }
  return {
    words: numbers,
    count: () => count,
    /** Adds the next item. */
    add: ({ values, names }: Pick<RecallItem, 'values' | 'names'>): void => {
      for (const text of values) addText(text, 1)
      for (const name of names) addText(name, nameWeight)
      while (count + found.length > words.length) grow()
      for (const number of found) {
        words[count] = number
        weights[count] = sums[number] as number
        sums[number] = 0
        count += 1
      }
      found.length = 0
      ends.push(count)
    },
    all: (): Collected => ({ words: words.subarray(0, count), weights, ends }),
  }
}

type Collected = {
  readonly words: Uint32Array
  readonly weights: Float32Array
  /** The end of the words of each item. */
  readonly ends: readonly number[]
}

/** The postings that are sorted at once. */
const stride = 500_000

type Sorted = Pick<WordIndex, 'starts' | 'items' | 'weights' | 'lengths'>

/** Sorts the words of items by their stems; those of one stem in an item are one posting. */
function* sortByStem(
  { words, weights, ends }: Collected,
  stemOf: readonly number[],
  most: number,
): Generator<undefined, Sorted> {
  const stems = words.map((word) => stemOf[word] as number)
  const starts = countsOf(stems, most)
  const next = starts.slice()
  const [items, sums] = [new Uint32Array(stems.length), new Float32Array(stems.length)]
  const lengths = new Float32Array(ends.length)
  for (let [at, item] = [0, 0]; at < stems.length; at += 1) {
    while ((ends[item] as number) <= at) item += 1
    const [stem, weight] = [stems[at] as number, weights[at] as number]
    let to = next[stem] as number
    // The words of one item come one after the other.
    if (to > (starts[stem] as number) && items[to - 1] === item) to -= 1
    else next[stem] = to + 1
    items[to] = item
    sums[to] = (sums[to] as number) + weight
    lengths[item] = (lengths[item] as number) + weight
    if (at % stride === stride - 1) yield
  }
  return { ...withoutGaps({ starts, items, weights: sums }, next), lengths }
}

/** Moves postings together, where those of a stem end before those of the next one begin. */
function withoutGaps(
  { starts, items, weights }: Omit<Sorted, 'lengths'>,
  ends: Uint32Array,
): Omit<Sorted, 'lengths'> {
  const moved = new Uint32Array(starts.length)
  for (let stem = 0; stem + 1 < starts.length; stem += 1) {
    const [from, end, to] = [starts[stem], ends[stem], moved[stem]] as [number, number, number]
    items.copyWithin(to, from, end)
    weights.copyWithin(to, from, end)
    moved[stem + 1] = to + end - from
  }
  const count = moved.at(-1) ?? 0
  return { starts: moved, items: items.subarray(0, count), weights: weights.subarray(0, count) }
}

/** Returns how many numbers are below each number up to a bound, itself included. */
function countsOf(numbers: Uint32Array, most: number): Uint32Array {
  const starts = new Uint32Array(most + 1)
  for (const it of numbers) starts[it + 1] = (starts[it + 1] as number) + 1
  for (let at = 0; at < most; at += 1)
    starts[at + 1] = (starts[at + 1] as number) + (starts[at] as number)
  return starts
}
