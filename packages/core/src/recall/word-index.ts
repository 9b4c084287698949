import { type RecallItem, recallItems } from './recall-items.ts'
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

/** Builds the index of a parsed document. */
export function wordIndex(document: unknown, languages: Languages): WordIndex {
  const items = recallItems(document)
  const [first] = languages.values()
  const language = languageOf(sampleOf(items), languages) ?? first
  const stemOf = stemmer(language)
  const stems = new Map<string, number>()
  const numbers = new Map<string, number>()
  const numberOf = (word: string) => {
    const known = numbers.get(word)
    if (known !== undefined) return known
    const stem = stemOf(word)
    const number = stems.get(stem) ?? stems.size
    stems.set(stem, number)
    numbers.set(word, number)
    return number
  }
  const postings = collector()
  const lengths = Float32Array.from(items, (item, at) =>
    postings.add(at, weightsOf(item, numberOf)),
  )
  const meanLength = lengths.reduce((sum, it) => sum + it, 0) / (lengths.length || 1)
  const places = items.map(({ values: _, names: _names, ...place }) => place)
  const sorted = postings.byStem(stems.size)
  const texts = places.reduce((sum, { text }) => sum + text.length, 0)
  const size = texts + sorted.items.length * 8 + places.length * placeSize + stems.size * stemSize
  return { places, language, stems, ...sorted, lengths, meanLength, size }
}

/** About the bytes of a place and of a stem. */
const [placeSize, stemSize] = [240, 120]

/** Returns the stem of each word in one language. */
export const stemmer =
  (language: Language | undefined) =>
  (word: string): string =>
    plainWord(language?.stem(word) ?? word)

function sampleOf(items: readonly RecallItem[]): string {
  let sample = ''
  const step = (items.length / 100) | 0 || 1
  for (let at = 0; at < items.length && sample.length < sampleLength; at += step) {
    sample += `${items[at]?.values.join(' ').slice(0, 1000)}\n`
  }
  return sample
}

function weightsOf({ values, names }: RecallItem, numberOf: (word: string) => number) {
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
  return weights
}

/** Collects postings in the order of items, and sorts them by stem. */
function collector() {
  let [count, room] = [0, 1024]
  let stems = new Uint32Array(room)
  let items = new Uint32Array(room)
  let weights = new Float32Array(room)
  const grow = () => {
    room *= 2
    const [before, beforeItems, beforeWeights] = [stems, items, weights]
    ;[stems, items] = [new Uint32Array(room), new Uint32Array(room)]
    weights = new Float32Array(room)
    stems.set(before)
    items.set(beforeItems)
    weights.set(beforeWeights)
  }
  return {
    /** Adds an item, and returns its length. */
    add: (item: number, found: ReadonlyMap<number, number>): number => {
      let length = 0
      for (const [stem, weight] of found) {
        if (count === room) grow()
        stems[count] = stem
        items[count] = item
        weights[count] = weight
        count += 1
        length += weight
      }
      return length
    },
    byStem: (most: number): Pick<WordIndex, 'starts' | 'items' | 'weights'> => {
      const starts = new Uint32Array(most + 1)
      for (let at = 0; at < count; at += 1) add(starts, (stems[at] as number) + 1)
      for (let at = 0; at < most; at += 1) add(starts, at + 1, starts[at])
      const next = starts.slice()
      const sorted = { items: new Uint32Array(count), weights: new Float32Array(count) }
      for (let at = 0; at < count; at += 1) {
        const stem = stems[at] as number
        const to = next[stem] as number
        next[stem] = to + 1
        sorted.items[to] = items[at] as number
        sorted.weights[to] = weights[at] as number
      }
      return { starts, ...sorted }
    },
  }
}

const add = (counts: Uint32Array, at: number, by = 1) => {
  counts[at] = (counts[at] as number) + by
}
