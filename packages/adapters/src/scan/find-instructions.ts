import type { FindingKind, Match } from './finding.ts'
import { fold } from './fold.ts'
import { foreignOrders } from './foreign-orders.ts'
import { indirectOrders } from './indirect-orders.ts'
import { type InstructionPattern, instructionPatterns } from './instruction-patterns.ts'

const some = (most: number) => `[^.!?。！？।]{0,${most}}`

/** Describes what begins an order to drop one's instructions, and how it goes on, on a folded text. */
const foreign: readonly (readonly [starts: string, rest: string])[] = [
  // German, Dutch, Danish, Norwegian and Swedish.
  [
    'ignorier|missacht|vergiss|vergesst|vergessen sie',
    `${some(40)}(?:vorherig|bisherig|fruher|vorangegangen|obig|vorig)${some(20)}(?:anweisung|instruktion|regel|befehl|vorgabe)`,
  ],
  [
    'negeer|vergeet',
    `${some(40)}(?:vorige|eerdere|bovenstaande)${some(20)}(?:instructies|aanwijzingen|regels)`,
  ],
  [
    'ignorera|ignorer|glom|glem',
    `${some(40)}(?:tidigare|tidligere|foregaende|forrige)${some(20)}(?:instruktion|instruks|regler)`,
  ],
  // French, Spanish, Portuguese, Catalan and Italian.
  [
    'ignore|oublie|ne tiens|ne tenez',
    `${some(40)}(?:instruction|consigne|regle|directive)${some(20)}(?:precedent|anterieur|ci-dessus)`,
  ],
  [
    'ignor|olvid|esquec|dimentic|desconsider|descart',
    `[a-z]{1,4} ${some(40)}(?:instruc|istruzion|reglas|regras|regole|ordenes|ordens)${some(20)}(?:anterior|previ|preceden|acima|arriba)`,
  ],
  [
    'ignor|olvid|dimentic',
    `[a-z]{1,4} (?:las|le|los|les|tutte|todas|todos|as)${some(40)}(?:anterior|previ|preceden)${some(20)}(?:instruc|istruzion|reglas|regole)`,
  ],
  // Polish, Czech, Turkish, Russian and Ukrainian.
  [
    'zignoruj|ignoruj|zapomnij|zapomen',
    `${some(40)}(?:poprzedni|wczesniejsz|predchozi)${some(20)}(?:instrukc|polece|pokyn)`,
  ],
  ['onceki', ` ${some(20)}(?:talimat|komut)${some(30)}(?:yok say|unut|gormezden)`],
  [
    'игнорируй|забудь|игнорир|не обращай|ігноруй|проигнорируй',
    `${some(40)}(?:предыдущ|прежн|прошл|попередн|выше)${some(20)}(?:инструкц|указан|правил|команд|інструкц)`,
  ],
  // Chinese, Japanese, Korean, Arabic and Hindi.
  [
    '忽略|无视|無視|忘记|忘記|不要理会',
    `${some(12)}(?:之前|以前|上述|以上|先前|前面|所有)${some(12)}(?:指令|指示|说明|說明|规则|規則|提示|命令)`,
  ],
  [
    '以前|これまで|上記|以上|前の|すべて',
    `${some(12)}(?:指示|命令|ルール|指令|プロンプト)${some(12)}(?:無視|忘れ)`,
  ],
  ['이전|위의|앞의|모든', `${some(12)}(?:지시|명령|지침|규칙)${some(12)}(?:무시|잊)`],
  ['تجاهل|انس', `${some(30)}(?:التعليمات|الأوامر|الاوامر|القواعد)`],
  ['पिछले|पिछली|सभी', `${some(20)}निर्देश${some(20)}(?:अनदेखा|भूल|नज़रअंदाज)`],
]

/** Orders to the reader of a text, in other languages than English. */
const foreignInstructions: readonly InstructionPattern[] = foreign.map(([starts, rest]) => ({
  kind: 'instruction/override',
  starts,
  rest,
}))

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
