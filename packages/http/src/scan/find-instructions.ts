import type { FindingKind, Match } from './finding.ts'
import { fold } from './fold.ts'
import { foreignInstructions } from './foreign-instructions.ts'
import { foreignOrders } from './foreign-orders.ts'
import { indirectOrders } from './indirect-orders.ts'
import { instructionPatterns } from './instruction-patterns.ts'

const sources = [
  ...[...instructionPatterns, ...indirectOrders, ...foreignInstructions, ...foreignOrders],
]

/** Describes what makes an order none: nobody is ordered to do it. */
const negation =
  "(?<!(?:never|not|don't|cannot|can't|won't|didn't|refuses? to|tried to|asked (?:me|us|it|him|her|them) to) )"

type Pattern = { readonly kind: FindingKind; readonly pattern: RegExp }

/** The patterns by the first letter of the words that they begin with. */
const patterns = new Map<string, Pattern[]>()
for (const { kind, starts, rest, isNegatable } of sources) {
  const source = `${isNegatable ? negation : ''}(?:${starts})${rest}`
  const pattern = { kind, pattern: new RegExp(source, 'y') }
  for (const letter of new Set(starts.split('|').map((start) => start.charAt(0))))
    patterns.set(letter, [...(patterns.get(letter) ?? []), pattern])
}

/** Matches the words that a pattern begins with; words of other scripts stand without spaces. */
const words = [...new Set(sources.flatMap(({ starts }) => starts.split('|')))]
const isLatin = (word: string) => /^[a-z]/.test(word)
const starts = new RegExp(
  `\\b(?:${words.filter(isLatin).join('|')})|${words.filter((it) => !isLatin(it)).join('|')}`,
  'g',
)

/** The most matches in one window of a text. */
const most = 200

/** Finds instructions that are aimed at the reader of a text. */
export function findInstructions(text: string): readonly Match[] {
  const folded = fold(text)
  const ends = new Map<FindingKind, number>()
  const found: Match[] = []
  for (const { index } of folded.text.matchAll(starts)) {
    const apart = matchesAt(folded.text, index).filter(
      ({ kind, start, end }) => start >= (ends.get(kind) ?? 0) && ends.set(kind, end),
    )
    found.push(...apart)
    if (found.length >= most) break
  }
  return found.map(({ kind, start, end }) => ({
    kind,
    start: folded.origin(start),
    end: folded.origin(end),
  }))
}

/** Returns the matches that begin at a place, the longest first. */
function matchesAt(text: string, at: number): readonly Match[] {
  const found = (patterns.get(text.charAt(at)) ?? []).flatMap(({ kind, pattern }) => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    return match === null ? [] : [{ kind, start: at, end: at + match[0].length }]
  })
  return found.length < 2 ? found : found.toSorted((one, other) => other.end - one.end)
}
