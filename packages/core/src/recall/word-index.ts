import { isRecord } from './describe-item.ts'
import { itemBatches, type RecallItem } from './recall-items.ts'
import { type Language, type Languages, languageOf, plainWord, wordsOf } from './words.ts'

/** The words of a memory: which items have which, and how often. */
export type WordIndex = {
  readonly places: readonly RecallPlace[]
  readonly language: Language | undefined
  /** The number of each stem. */
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

/** An item without its words; neighbours in a list have its number. */
export type RecallPlace = Omit<RecallItem, 'values' | 'names'>

/** The weight of a word among the names, beside 1 among the values. */
const nameWeight = 0.3

/** The characters of a memory by which its language is known. */
const sampleLength = 20_000

/** The most items of an index, of its different stems, and of the stems of all items. */
export type IndexBounds = {
  readonly items: number
  readonly stems: number
  readonly postings: number
}

const unbounded: IndexBounds = { items: 1e9, stems: 1e9, postings: 1e9 }

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
  const [first] = languages.values()
  const language = languageOf(sampleOf(document, sampleLength), languages) ?? first
  const { stems, numberOf } = numbering(language)
  const places: RecallPlace[] = []
  const postings = collector()
  for (const batch of itemBatches(document)) {
    for (const item of batch) postings.add(weightsOf(item, numberOf))
    for (const { values: _, names: _names, ...place } of batch) places.push(place)
    const counts = { items: places.length, stems: stems.size, postings: postings.count() }
    if (isBeyond(counts, bounds)) return undefined
    yield
  }
  const sorted = yield* postings.byStem(stems.size)
  return withSums({ places, language, stems, ...sorted })
}

function withSums(index: Omit<WordIndex, 'meanLength' | 'size'>): WordIndex {
  const { places, stems, items, lengths } = index
  const meanLength = lengths.reduce((sum, it) => sum + it, 0) / (lengths.length || 1)
  const texts = places.reduce((sum, { text }) => sum + text.length, 0)
  const size = texts + items.length * 8 + places.length * placeSize + stems.size * stemSize
  return { ...index, meanLength, size }
}

const isBeyond = ({ items, stems, postings }: IndexBounds, most: IndexBounds): boolean =>
  items > most.items || stems > most.stems || postings > most.postings

/** Numbers the stems of words in their order. */
function numbering(language: Language | undefined) {
  const stemOf = stemmer(language)
  const stems = new Map<string, number>()
  const words = new Map<string, number>()
  const numberOf = (word: string) => {
    const known = words.get(word)
    if (known !== undefined) return known
    const number = numberIn(stems, stemOf(word))
    // One stem may have any number of forms, by marks that it lacks.
    if (words.size < mostCached) words.set(word, number)
    return number
  }
  return { stems, numberOf }
}

/** The most words whose stems are cached. */
const mostCached = 500_000

function numberIn(stems: Map<string, number>, stem: string): number {
  const number = stems.get(stem) ?? stems.size
  if (number === stems.size) stems.set(stem, number)
  return number
}

/** The stems of an item by their numbers, each with its weight. */
type Weights = { readonly stems: ArrayLike<number>; readonly weights: ArrayLike<number> }

/** About the bytes of a place and of a stem. */
const [placeSize, stemSize] = [240, 120]

/** Returns the stem of each word in one language. */
export const stemmer =
  (language: Language | undefined) =>
  (word: string): string =>
    plainWord(language?.stem(word) ?? word)

/** Returns texts from all over a value. */
function sampleOf(value: unknown, most: number): string {
  if (typeof value === 'string') return value.slice(0, most)
  if (!isRecord(value) && !Array.isArray(value)) return ''
  const inside: readonly unknown[] = Object.values(value)
  const step = (inside.length / mostSampled) | 0 || 1
  const chosen = inside.filter((it, at) => at % step === 0 && typeof it !== 'number')
  let sample = ''
  for (const [at, it] of chosen.entries()) {
    const room = (most - sample.length) / (chosen.length - at)
    if (room < 1) break
    sample += `${sampleOf(it, room)}\n`
  }
  return sample
}

/** About the most values of one container that are in a sample. */
const mostSampled = 100

function weightsOf({ values, names }: RecallItem, numberOf: (word: string) => number): Weights {
  const weights = new Map<number, number>()
  const add = (texts: readonly string[], weight: number) => {
    for (const text of texts) {
      for (const word of wordsOf(text)) {
        const number = numberOf(word)
        weights.set(number, (weights.get(number) ?? 0) + weight)
      }
    }
  }
  add(values, 1)
  add(names, nameWeight)
  return { stems: [...weights.keys()], weights: [...weights.values()] }
}

/** Collects postings in the order of items, and sorts them by stem. */
function collector() {
  let [count, stems, weights] = [0, new Uint32Array(1024), new Float32Array(1024)]
  const ends: number[] = []
  const grow = () => {
    const [before, beforeWeights] = [stems, weights]
    const room = (stems.length * 1.5) | 0
    ;[stems, weights] = [new Uint32Array(room), new Float32Array(room)]
    stems.set(before)
    weights.set(beforeWeights)
  }
  return {
    count: () => count,
    /** Adds the next item. */
    add: (found: Weights): void => {
      while (count + found.stems.length > stems.length) grow()
      stems.set(found.stems, count)
      weights.set(found.weights, count)
      count += found.stems.length
      ends.push(count)
    },
    byStem: (most: number) => sortByStem({ stems: stems.subarray(0, count), weights, ends }, most),
  }
}

type Collected = {
  readonly stems: Uint32Array
  readonly weights: Float32Array
  /** The end of the postings of each item. */
  readonly ends: readonly number[]
}

/** The postings that are sorted at once. */
const stride = 500_000

function* sortByStem(
  { stems, weights, ends }: Collected,
  most: number,
): Generator<undefined, Pick<WordIndex, 'starts' | 'items' | 'weights' | 'lengths'>> {
  const starts = countsOf(stems, most)
  const next = starts.slice()
  const sorted = {
    items: new Uint32Array(stems.length),
    weights: new Float32Array(stems.length),
    lengths: new Float32Array(ends.length),
  }
  for (let [at, item] = [0, 0]; at < stems.length; at += 1) {
    while ((ends[item] as number) <= at) item += 1
    const to = next[stems[at] as number] as number
    next[stems[at] as number] = to + 1
    sorted.items[to] = item
    sorted.weights[to] = weights[at] as number
    sorted.lengths[item] = (sorted.lengths[item] as number) + (weights[at] as number)
    if (at % stride === stride - 1) yield
  }
  return { starts, ...sorted }
}

/** Returns how many numbers are below each number up to a bound, itself included. */
function countsOf(numbers: Uint32Array, most: number): Uint32Array {
  const starts = new Uint32Array(most + 1)
  for (const it of numbers) starts[it + 1] = (starts[it + 1] as number) + 1
  for (let at = 0; at < most; at += 1)
    starts[at + 1] = (starts[at + 1] as number) + (starts[at] as number)
  return starts
}
