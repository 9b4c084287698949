import { foldText } from '../json/text-matcher.ts'
import type { Instant } from '../values/branded.ts'
import { firstLetters, type KnownWord, nearestWord } from '../values/nearest-word.ts'
import { printTime } from '../values/print-time.ts'
import {
  itemsWith,
  neighbours,
  type QuestionWord,
  questionWords,
  type Ranked,
  rankItems,
  rarity,
  weightsIn,
} from './rank-items.ts'
import { type RecallPlace, stemmer, type WordIndex } from './word-index.ts'
import { wordsOf } from './words.ts'

/** An item of a memory that answers a question. */
export type Answer = {
  /** The JSON Pointer of its value; absent when it would be longer than 4,096 characters. */
  readonly pointer?: string
  /** The place of the text in the text of the item, in UTF-16 code units. */
  readonly offset: number
  /** Up to 280 characters of its text, around the first word of the question. */
  readonly text: string
  readonly who?: string
  readonly when?: string
  /** Whether it says itself that it no longer holds. */
  readonly isOutdated?: true
  /** The form in which its text has the question as a phrase. */
  readonly phrase: PhraseRank
  /** The share of each word of the statistics in its score, before its rarity is counted. */
  readonly weights: readonly number[]
  readonly score: number
  /** The items before and after it in its list; of the first three answers only. */
  readonly near?: readonly Near[]
}

/** A neighbour of an answer, up to 60 characters. */
export type Near = { readonly pointer?: string; readonly text: string }

/** 0 for a text that is the question, 1 with it as words, 2 with it inside words, 3 without it. */
export type PhraseRank = 0 | 1 | 2 | 3

/** The items of a memory, and of the words of a question how many of them have each. */
export type WordStatistics = {
  readonly items: number
  readonly words: readonly { readonly stem: string; readonly items: number }[]
}

/** The answers of one memory, the best first. */
export type Answered = {
  readonly answers: readonly Answer[]
  readonly statistics: WordStatistics
  readonly misspelt: readonly Misspelt[]
}

/** A word of a question that no item has, and the word of an item that it looks like. */
export type Misspelt = { readonly word: string; readonly stem: string; readonly nearest: string }

/** A question to one memory. */
export type Question = {
  readonly question: string
  /** The most answers. */
  readonly most: number
  readonly now: Instant
}

/** The most characters of an answer and of a neighbour. */
const lengths = { answer: 280, near: 60 } as const

/** The answers that show their neighbours. */
const withNeighbours = 3

/** The share of the score of the best that another answer has at least. */
const leastShare = 0.4

/** The candidates among which a phrase is looked for. */
const candidates = 200

/** Answers a question from the index of a memory. */
export function answerQuestion(index: WordIndex, { question, most, now }: Question): Answered {
  const all = questionWords(index, question)
  const words = all.filter(({ found }) => found.length > 0)
  const ranked = rankItems(index, words, most > candidates ? most : candidates)
  const phrase = foldText(question.trim())
  const enough = leastShare * (ranked[0]?.score ?? 0)
  const found: Found[] = []
  for (const { item, score } of ranked) {
    const { text, until } = index.places[item] as RecallPlace
    const rank = phraseRank(text, phrase)
    if (score < enough && rank === 3) continue
    found.push({ item, score, phrase: rank, isOutdated: isOver(until, now) })
  }
  // The ranked are in the order of their scores.
  const answers = found
    .toSorted((a, b) => order(a) - order(b))
    .slice(0, most)
    .map((it, nth) => describe(index, it, { words, question, isFirst: nth < withNeighbours }))
  const misspelt = misspeltWords(
    index,
    all.filter(({ found }) => found.length === 0),
  )
  return { answers, statistics: statisticsOf(index, words), misspelt }
}

/**
 * The most words of a question that are compared with those of an index, the most letters of one, and the
 * most words of an index, and of those the most that begin alike: more would keep others waiting.
 */
const compared = { words: 3, letters: 24, stems: 50_000, alike: 8_000 } as const

function misspeltWords(index: WordIndex, unknown: readonly QuestionWord[]): readonly Misspelt[] {
  if (index.stems.size > compared.stems) return []
  // A number that is like another one is another one.
  const isCompared = ({ word }: QuestionWord) => !/\d/.test(word) && word.length <= compared.letters
  const words = unknown.filter(isCompared).slice(0, compared.words)
  return words.flatMap(({ word, stem }) => {
    const known = 'stem' in index.language ? stem : word
    const nearest = nearestWord(known, similarStems(index, known))
    if (nearest === undefined) return []
    const whole = wordWith(index, nearest)
    // Stems can look alike where their words do not, as those of “called” and “collie” do.
    const isAlike = nearestWord(word, [{ word: whole, cards: 1 }]) !== undefined
    return isAlike ? [{ word, stem, nearest: whole }] : []
  })
}

function* similarStems({ stems, starts }: WordIndex, stem: string): Generator<KnownWord> {
  const firsts = firstLetters(stem)
  let alike = 0
  for (const [word, number] of stems) {
    if (!firsts.includes(word.charAt(0))) continue
    alike += 1
    if (alike > compared.alike) return
    yield { word, cards: (starts[number + 1] as number) - (starts[number] as number) }
  }
}

/** Returns a word of an item that has a stem; the stem itself where its text has none. */
function wordWith({ stems, starts, items, places, language }: WordIndex, stem: string): string {
  const first = items[starts[stems.get(stem) as number] as number] as number
  const stemOf = stemmer(language)
  return wordsOf(places[first]?.text ?? '').find((it) => stemOf(it) === stem) ?? stem
}

/** Reports whether the end of an item was before a time. */
function isOver(until: RecallPlace['until'], now: Instant): boolean {
  if (typeof until === 'number') return until <= now
  // A day ends with the day, a minute with the minute: what is not written is compared with nothing.
  const end = until?.slice(0, printedLength).replace('T', ' ')
  return end !== undefined && end < printTime(now).slice(0, end.length)
}

/** The length of a day and a time to the second. */
const printedLength = 19

type Found = Ranked & { readonly phrase: PhraseRank; readonly isOutdated: boolean }

const order = ({ phrase, isOutdated }: Pick<Found, 'phrase' | 'isOutdated'>): number =>
  (isOutdated ? 4 : 0) + phrase

/** Answers of one memory, of which no more is needed to put them in order. */
export type Comparable<Match> = {
  readonly matches: readonly Match[]
  readonly statistics: WordStatistics
}

type ComparableMatch = { readonly item: Pick<Answer, 'phrase' | 'weights' | 'isOutdated'> }

/**
 * Returns the answers of several memories, the best first: each word counts as it is rare in all of
 * them, and not in the one.
 */
export function mergeAnswers<Match extends ComparableMatch>(
  memories: readonly Comparable<Match>[],
): readonly Match[] {
  const all = totalOf(memories)
  const scored = memories.flatMap(({ matches, statistics }) =>
    matches.map((match) => {
      const { phrase, weights, isOutdated = false } = match.item
      return {
        match,
        order: order({ phrase, isOutdated }),
        score: scoreIn(all, statistics, weights),
      }
    }),
  )
  return scored.toSorted((a, b) => a.order - b.order || b.score - a.score).map(({ match }) => match)
}

type Total = { readonly items: number; readonly having: ReadonlyMap<string, number> }

function totalOf(memories: readonly Pick<Answered, 'statistics'>[]): Total {
  const having = new Map<string, number>()
  let items = 0
  for (const { statistics } of memories) {
    items += statistics.items
    for (const it of statistics.words) having.set(it.stem, (having.get(it.stem) ?? 0) + it.items)
  }
  return { items, having }
}

const scoreIn = (
  { items, having }: Total,
  { words }: WordStatistics,
  weights: readonly number[],
): number =>
  words.reduce(
    (sum, { stem }, nth) => sum + rarity(items, having.get(stem) ?? 0) * (weights[nth] ?? 0),
    0,
  )

const statisticsOf = (index: WordIndex, words: readonly QuestionWord[]): WordStatistics => ({
  items: index.places.length,
  words: words.map((word) => ({ stem: word.stem, items: itemsWith(index, word) })),
})

/** Returns how well a text has a folded phrase. */
export function phraseRank(text: string, phrase: string): PhraseRank {
  // A folded text is as long as it was.
  if (text.length < phrase.length) return 3
  const folded = foldText(text)
  if (folded === phrase) return 0
  let rank: PhraseRank = 3
  for (let at = folded.indexOf(phrase); at >= 0; at = folded.indexOf(phrase, at + 1)) {
    if (isBoundary(folded.at(at - 1), at) && isBoundary(folded.at(at + phrase.length))) return 1
    rank = 2
  }
  return rank
}

const isBoundary = (character: string | undefined, at = 1): boolean =>
  at === 0 || character === undefined || !/[\p{L}\p{N}]/u.test(character)

type Place = {
  readonly words: readonly QuestionWord[]
  readonly question: string
  /** Whether it is one of those that show their neighbours. */
  readonly isFirst: boolean
}

function describe(index: WordIndex, found: Found, { words, question, isFirst }: Place): Answer {
  const { places } = index
  const { item, score, phrase, isOutdated } = found
  const place = places[item] as RecallPlace
  const { who, when, pointer } = place
  const cut = cutAround(place.text, question)
  const near = isFirst ? nearOf(index, item) : []
  return {
    ...(pointer !== undefined && { pointer }),
    offset: (place.stretch?.[0] ?? 0) + cut.offset,
    text: cut.text,
    ...(who !== undefined && { who }),
    ...(when !== undefined && { when }),
    ...(isOutdated && { isOutdated }),
    phrase,
    weights: weightsIn(index, words, item),
    score,
    ...(near.length > 0 && { near }),
  }
}

function nearOf(index: WordIndex, item: number): readonly Near[] {
  const { places } = index
  const close = neighbours(index, item).map((it) => it.item)
  return [item - 1, item + 1]
    .filter((it) => close.includes(it))
    .map((it) => {
      const { pointer, text } = places[it] as RecallPlace
      return { ...(pointer !== undefined && { pointer }), text: clip(text, 0, lengths.near) }
    })
}

/** Returns the part of a text around the first word of a question in it. */
function cutAround(
  text: string,
  question: string,
): { readonly text: string; readonly offset: number } {
  if (text.length <= lengths.answer) return { text, offset: 0 }
  const folded = text.toLowerCase()
  const words = question.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
  const places = words.map((it) => folded.indexOf(it.slice(0, 5))).filter((it) => it >= 0)
  const first = places.toSorted((a, b) => a - b)[0] ?? 0
  const last = text.length - lengths.answer
  const [, offset = 0] = [0, first - before, last].toSorted((a, b) => a - b)
  return { text: clip(text, offset, lengths.answer), offset }
}

/** The characters that are shown before the first word of a question in a long text. */
const before = 80

const clip = (text: string, from: number, most: number): string =>
  text.slice(from, from + most).toWellFormed()
