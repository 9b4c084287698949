import type { Card } from '../bundles/card.ts'
import { Failure } from '../failure.ts'

/** The largest number of different words in a search. */
export const maxSearchWords = 16

/** The least number of letters in a search word; a shorter prefix matches too many words. */
export const minSearchWordLength = 2

/** The number of searched fields of a card: title, tags, category and description. */
export const searchedFieldCount = 4

/**
 * Returns the different words of a search; none for a text without words. Ignores words of one
 * letter beside longer ones, and words of a question such as “how” and “the” beside others.
 *
 * @throws `request/malformed` for too many words, and when no word has two letters
 */
export function searchWords(search: string): readonly string[] {
  const all = [...new Set(wordsOf(search))]
  const long = all.filter((word) => [...word].length >= minSearchWordLength)
  if (all.length > 0 && long.length === 0) refuse('needs a word of two letters or more')
  const content = long.filter((word) => !fillers.has(word))
  const words = content.length > 0 ? content : long
  if (words.length > maxSearchWords) refuse(`has more than ${maxSearchWords} different words`)
  return words
}

function refuse(problem: string): never {
  throw new Failure('request/malformed', { where: 'search', problem })
}

/** Words by which people ask, and which say nothing of what they look for. */
const fillers: ReadonlySet<string> = new Set(
  `about after all also am an and any anybody anyone are as at be been being but by can could did do
  does doing don else ever find for from get gets getting give gives got had has have having help
  helps her here him his how if in into is isn it its just kind knows know let like ll looking made
  make makes making many may me might more most much must my need needs no not of on
  one onto or our out people please re she should show so some somebody someone something tell than
  that the their them then there these they thing things this those to too up us use using ve very
  want wants was way we were what when where whether which while who whose why will with without
  would you your`.split(/\s+/),
)

/** The words by which people ask for what was imported from a format, by the name of the format. */
const formatWords: Readonly<Record<string, string>> = {
  chatgpt: 'ChatGPT OpenAI GPT export chat conversations',
  claude: 'Claude Anthropic export chat conversations',
  cogx: 'Cognee graph archive',
  cognee: 'Cognee graph',
  eliza: 'ElizaOS character agent',
  graphiti: 'Graphiti Zep graph',
  json: 'JSON',
  'langgraph-checkpoints': 'LangGraph LangChain checkpoints threads',
  'langgraph-store': 'LangGraph LangChain store',
  'letta-af': 'Letta MemGPT agent',
  'llama-index': 'LlamaIndex folder',
  markdown: 'Markdown folder files notes',
  'mcp-memory': 'MCP graph',
  mem0: 'Mem0 export',
}

/**
 * Returns the words of a card's title, tags, category and description, in this order. The format that
 * its memory was imported from counts as a tag.
 */
export function wordsByField(card: Card, format = ''): readonly (readonly string[])[] {
  const { title, tags = [], category = '', description = '' } = card
  const asTag = formatWords[format] ?? format
  return [
    wordsOf(title),
    [...tags, asTag].flatMap(wordsOf),
    wordsOf(category),
    wordsOf(description),
  ]
}

/**
 * Returns the rank of a card in a search: the number of fields, in the order of `wordsByField`,
 * that together have all words as prefixes. 1 is the best rank; `undefined` means no match.
 */
export function searchRank(
  card: Card,
  words: readonly string[],
  format?: string,
): number | undefined {
  const fields = wordsByField(card, format)
  for (let rank = 1; rank <= fields.length; rank++) {
    const candidates = fields.slice(0, rank).flat()
    if (words.every((word) => candidates.some((it) => it.startsWith(word)))) return rank
  }
  return undefined
}

/** A word of which the beginning is looked for, and what a card with it gains. */
export type WeightedWord = { readonly word: string; readonly weight: number }

/** The ranks at which a word adds its weight, and how many times. */
export const scoredRanks = [
  { rank: searchedFieldCount, times: 2 },
  { rank: 1, times: 1 },
] as const

/** The gain of a card with all words of a search: more than all their weights. */
export const allWordsBonus = 1_000_000

/**
 * Returns the weight of a word that some of all cards have, at least one: the fewer have it, the more
 * it counts. It is 16 times the binary logarithm of their ratio, counted in digits.
 */
export function wordWeight(cards: number, all: number): number {
  const ratio = (1024n * BigInt(all + cards)) / BigInt(cards)
  return (ratio ** 16n).toString(2).length - 160
}

/**
 * Returns how well a card matches some words, with the sum of the weights of each word at each of the
 * scored ranks; 0 means that it has none.
 */
export function searchScore(card: Card, words: readonly WeightedWord[], format?: string): number {
  const fields = wordsByField(card, format)
  const has = (word: string, rank: number) =>
    fields.slice(0, rank).some((field) => field.some((it) => it.startsWith(word)))
  const found = words.filter(({ word }) => has(word, searchedFieldCount))
  const score = scoredRanks
    .flatMap(({ rank, times }) =>
      found.filter(({ word }) => has(word, rank)).map(({ weight }) => weight * times),
    )
    .reduce((sum, weight) => sum + weight, 0)
  return found.length > 0 && found.length === words.length ? score + allWordsBonus : score
}

/**
 * Returns the beginning that the forms of an English word share, such as “refund” of “refunds” and
 * “bak” of “baking” and “bake”. A search for some of its words looks for this.
 */
export function stemOf(word: string): string {
  const stem = suffixes.map((it) => withoutSuffix(word, it)).find((it) => it !== undefined) ?? word
  return stem.length > 3 ? stem.replace(/e$/, '') : stem
}

const suffixes = ['ies', 'ied', 'ing', 'ed', 'er', 'ly', 'es', 's', 'y']

/** Returns a word without a suffix; undefined where it has none or is too short. */
function withoutSuffix(word: string, suffix: string): string | undefined {
  if (!word.endsWith(suffix) || word.endsWith('ss')) return undefined
  const stem = word.slice(0, -suffix.length)
  // Many short words end like a comparative and are none, such as “paper” and “never”.
  if (stem.length < (suffix === 'er' ? 4 : 3)) return undefined
  return suffix.length > 1 ? stem.replace(/([bdgmnprt])\1$/, '$1') : stem
}

/** The number of letters by which words are compared. */
export const maxWordLength = 16

/**
 * Returns the normalised words of a text: runs of letters and digits in lower case, without
 * accents, truncated to 16 letters.
 */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu)?.map(truncate) ?? []
}

const truncate = (word: string): string =>
  word.length <= maxWordLength ? word : [...word].slice(0, maxWordLength).join('')
