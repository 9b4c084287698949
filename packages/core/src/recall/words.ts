/** Returns the stem of a lower-case word. */
export type Stem = (word: string) => string

/** The stems of a language, and its words that say nothing by themselves. */
export type Language = {
  readonly stem: Stem
  /** Lower-case words, such as “the” and “what”. */
  readonly fillers: ReadonlySet<string>
  /** Whether it writes several words as one, as German does. */
  readonly joinsWords?: true
  /** The endings of its words that stems can still have. */
  readonly endings?: readonly string[]
}

/**
 * The languages that a search knows, by their tags (BCP 47) such as `en`; the first is that of a text
 * whose language is not known.
 */
export type Languages = ReadonlyMap<string, Language>

// Words of letters, marks and digits, between which an apostrophe stands as a space does: the words of
// “l'école” are “l” and “école”. And runs of scripts that put no spaces between words.
const spaceless =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー'
const wordOrRun = new RegExp(`[${spaceless}]+|(?:(?![${spaceless}])[\\p{L}\\p{M}\\p{N}])+`, 'gu')
const isChinese = /\p{Script=Han}/u
const isRun = new RegExp(`^[${spaceless}]`, 'u')

/** The most characters of a word by which it counts. */
const longestWord = 64

/**
 * Returns the words of a text in their order, in lower case: of a run without spaces each two
 * neighbouring characters, and each Chinese character, which can be a word whatever stands beside it.
 */
export function wordsOf(text: string): readonly string[] {
  const isPlain = !beyondAscii.test(text)
  const found = isPlain ? text.match(plainWords) : text.normalize('NFKC').match(wordOrRun)
  if (found === null) return []
  const lower = (word: string) => word.slice(0, longestWord).toLowerCase()
  if (isPlain) return found.map(lower)
  return found.flatMap((it) => (isRun.test(it) ? [...pairsOf(it)] : lower(it)))
}

// Most texts need no properties of characters, which take ten times as long.
const plainWords = /[a-z\d]+/gi
const beyondAscii = /[^ -~\s]/

function* pairsOf(run: string): Generator<string> {
  const characters = [...run]
  for (const it of characters) if (isChinese.test(it) || it === run) yield it
  for (let at = 1; at < characters.length; at += 1) yield `${characters[at - 1]}${characters[at]}`
}

/** Returns a word without its accents and vowel marks, which people leave out. */
export const plainWord = (word: string): string =>
  isAscii.test(word) ? word : word.normalize('NFD').replaceAll(/\p{Mn}/gu, '')

const isAscii = /^[\x20-\x7e]*$/

/** Returns the language most of whose fillers a text has; `undefined` where it has hardly any. */
export function languageOf(text: string, languages: Languages): Language | undefined {
  const words = wordsOf(text)
  const { language, found } = mostFillers(words, languages)
  // A letter or two of a short text are fillers of some language.
  if (new Set(found).size < leastFillers) return undefined
  return found.length * leastShare > words.length ? language : undefined
}

/** The different fillers of a text by which its language is known, and of how many words one is. */
const [leastFillers, leastShare] = [3, 20]

/** Returns the language that a short text is most likely in: the first one where it has no fillers. */
export const likelyLanguage = (text: string, languages: Languages): Language =>
  mostFillers(wordsOf(text), languages).language

function mostFillers(words: readonly string[], languages: Languages) {
  const [best] = [...languages.values()]
    .map((language) => ({ language, found: words.filter((it) => language.fillers.has(it)) }))
    .toSorted((one, other) => other.found.length - one.found.length)
  return best ?? { language: noLanguage, found: [] }
}

/** The language of those who know none. */
const noLanguage: Language = { stem: (word) => word, fillers: new Set() }
