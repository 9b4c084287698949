import type { InstructionPattern } from './instruction-patterns.ts'

const some = (most: number) => `[^.!?。！？।]{0,${most}}`

/** Describes what begins an order to drop one's instructions, and how it goes on, on a folded text. */
const sources: readonly (readonly [starts: string, rest: string])[] = [
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

/** Orders to whoever reads a text, in other languages than English. */
export const foreignInstructions: readonly InstructionPattern[] = sources.map(([starts, rest]) => ({
  kind: 'instruction/override',
  starts,
  rest,
}))
