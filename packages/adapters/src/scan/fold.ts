/** Each Latin letter, before the letters of other scripts that look like it. */
const groups =
  'aаɑα bЬв cсϲ dԁ eе gɡ hһн iіι jј kкκ lӏ mм nп oоο pрρ qԛ rг sѕ tтτ uυ vν wԝ xхχ yуү AАΑ BВΒ CС EЕΕ HНΗ IІΙ JЈ KКΚ MМΜ NΝ OОΟ PРΡ SЅ TТΤ XХΧ YΥ ZΖ'

/** Maps a letter of another script to the Latin letter that it looks like, in lower case. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  groups
    .split(' ')
    .flatMap((group) => [...group.slice(1)].map((it) => [it, group.charAt(0).toLowerCase()])),
)

/** A stretch of a text. */
type Stretch = { readonly start: number; readonly end: number }

const words = /[\p{L}\p{M}\u200b-\u200d\u2060\ufeff]{2,200}/gu
const latin = /\p{Script=Latin}/gu
const foreign = /[\p{Script=Cyrillic}\p{Script=Greek}]/gu

/**
 * Finds the words that mix Latin letters with Cyrillic or Greek ones that look like Latin ones.
 * Symbols of science, such as `μm` and `νmax`, have a Greek letter at one end.
 */
export function mixedWords(text: string): readonly Stretch[] {
  return [...text.matchAll(words)]
    .filter(([word]) => isMixed(word))
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length }))
}

function isMixed(word: string): boolean {
  const foreigners = word.match(foreign) ?? []
  const latins = word.match(latin) ?? []
  if (latins.length === 0 || !foreigners.every((it) => lookAlikes.has(it))) return false
  if (/\p{Script=Cyrillic}/u.test(word)) return true
  return latins.length > 1 && /(?<!^)\p{Script=Greek}(?!$)/u.test(word)
}

/** A text as it is compared, and the way back. */
export type Folded = {
  readonly text: string
  /** Returns where a position was before folding. */
  readonly origin: (position: number) => number
}

/**
 * Folds a text for a comparison: lower case, without accents, invisible characters, emphasis and
 * quotes, with one space for any white space, and letters of other scripts inside a Latin word as
 * the Latin letters that they look like.
 */
export function fold(text: string): Folded {
  return /^\p{ASCII}*$/u.test(text) ? foldAscii(text) : foldAny(text)
}

const runs = /(?! (?![\p{Cc} *_~`#>"\\|]))[\p{Cc} *_~`#>"\\|]+/gu
const between = /(?!\ufeff)[\s*_~`#>"“”„«»\\|]/u

function foldAscii(text: string): Folded {
  // After each run: its end in the folded text, and its end before.
  const [ends, endsBefore]: [number[], number[]] = [[0], [0]]
  let removed = 0
  const folded = text.toLowerCase().replace(runs, (run: string, index: number) => {
    const left = between.test(run) ? ' ' : ''
    removed += run.length - left.length
    ends.push(index + run.length - removed)
    endsBefore.push(index + run.length)
    return left
  })
  const origin = (position: number) => {
    const last = countUpTo(ends, position) - 1
    return (endsBefore[last] ?? 0) + position - (ends[last] ?? 0)
  }
  return { text: folded, origin }
}

/** Counts the numbers up to a limit in a sorted list, by binary search. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The most units that one unit is folded to. */
const longest = 4

function foldAny(text: string): Folded {
  const from = new Uint32Array(text.length * longest + 1)
  const mixed = mixedAt(text)
  const parts: string[] = []
  let [length, at, last] = [0, 0, '']
  for (const character of text) {
    const next = (mixed.has(at) && lookAlikes.get(character)) || foldCharacter(character)
    if (next !== ' ' || last !== ' ') {
      parts.push(next)
      from.fill(at, length, length + next.length)
      length += next.length
    }
    last = next || last
    at += character.length
  }
  from[length] = at
  return { text: parts.join(''), origin: (position) => from[position] ?? at }
}

/** Returns the positions within words of mixed letters. */
function mixedAt(text: string): ReadonlySet<number> {
  if (!/[\u0370-\u052f]/.test(text)) return new Set()
  const words = mixedWords(text)
  return new Set(
    words.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)),
  )
}

const known = new Map<string, string>()

/** The most characters whose folding is remembered. */
const mostKnown = 4096

function foldCharacter(character: string): string {
  const found = known.get(character)
  if (found !== undefined) return found
  const folded = foldAnew(character)
  if (known.size < mostKnown) known.set(character, folded)
  return folded
}

const ignored = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\u{fff9}-\u{fffb}]|[\u0300-\u036f]/u

function foldAnew(character: string): string {
  if (between.test(character)) return ' '
  if (ignored.test(character)) return ''
  if (character === '’') return "'"
  const plain = character.normalize('NFKC')
  const letter = /^[\u00c0-\u024f\u1e00-\u1eff]/.test(plain) ? withoutAccent(plain) : plain
  const lower = letter.toLowerCase()
  return lower.length <= longest ? lower : ''
}

const withoutAccent = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')
