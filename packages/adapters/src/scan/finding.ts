import type { StringPlace } from './walk-strings.ts'

/** Describes how much harm a finding can do; all but `low` is held back in quarantine. */
export type Severity = 'high' | 'medium' | 'low'

/** The kinds of findings, each with its severity and one sentence. */
export const findingKinds = {
  'instruction/override': ['high', 'It wants the reader to drop its own instructions.'],
  'instruction/reader': ['high', 'It gives orders to the model that reads it.'],
  'instruction/secrecy': ['high', 'It wants the reader to hide something from its user.'],
  'instruction/exfiltration': ['high', 'It wants the reader to give away what it knows.'],
  'instruction/action': ['high', 'It wants the reader to pay, run or approve something.'],
  'hidden/message': ['high', 'Characters that nothing shows carry a message.'],
  'hidden/bidi': ['medium', 'Marks of writing direction show the text in another order.'],
  'hidden/split-word': ['medium', 'An invisible character stands inside a word.'],
  'hidden/homoglyph': ['medium', 'A word mixes letters of two scripts that look alike.'],
  'hidden/escape': ['medium', 'A terminal escape moves the cursor, or hides or forges text.'],
  'hidden/markup': ['medium', 'Markup hides this text from people.'],
  'hidden/duplicate-name': [
    'medium',
    'The object has this name twice: readers see different values.',
  ],
  'hidden/character': ['low', 'A character that nothing shows.'],
  'hidden/control': ['low', 'A control character, or a colour of a terminal.'],
  'link/exfiltration': ['high', 'The address has a blank for what the reader knows.'],
  'link/script': ['high', 'The link runs code, or opens a page that it carries.'],
  'link/disguised': ['medium', 'The link leads to another host than it shows.'],
  'marker/role': ['medium', 'A mark of a chat template begins another turn or role.'],
  'marker/tool-call': ['medium', 'A call of a tool, or its result, outside of a conversation.'],
  'encoded/text': ['high', 'An encoded text hides one of the others.'],
} as const satisfies Readonly<Record<string, readonly [Severity, string]>>

/** A kind of finding. */
export type FindingKind = keyof typeof findingKinds

/** Returns whether findings of a kind are held back. */
export const isHeld = (kind: FindingKind): boolean => findingKinds[kind][0] !== 'low'

/** A stretch of a memory that could mislead or steer its reader. */
export type Finding = {
  /** Describes what it is; match on it, not on the sentence. */
  readonly kind: FindingKind
  readonly severity: Severity
  /** One sentence that says what was found. */
  readonly sentence: string
  /**
   * The JSON Pointer (RFC 6901) of the value, or of the value whose name it is; of the nearest value
   * around it where that takes more than 2048 UTF-16 code units. `at` is always exact.
   */
  readonly pointer: string
  /** Describes where it is: in the value, or in the name of a member. */
  readonly in: 'value' | 'name'
  /** Describes where the JSON text of the string begins in the document, in UTF-16 code units. */
  readonly at: number
  /** Describes where it begins and ends in the decoded string, in UTF-16 code units. */
  readonly start: number
  readonly end: number
  /** Describes how it was decoded, the outermost first, where the string holds it in another encoding. */
  readonly via: readonly Encoding[]
  /** The text that was found, of at most 100 characters; nothing in it acts on a terminal. */
  readonly excerpt: string
}

/** An encoding in which a text is hidden within another. */
export type Encoding = 'json' | 'base64' | 'hex' | 'percent' | 'entities' | 'escapes' | 'invisible'

/** A stretch of one string: what it is, where, and what it says once it is decoded. */
export type Match = {
  readonly kind: FindingKind
  readonly start: number
  readonly end: number
  readonly via?: readonly Encoding[]
  readonly says?: string
}

const grave = { high: 0, medium: 1, low: 2 } as const

/**
 * Returns at most so many findings: the first of each kind before the second of any, the gravest
 * first, so that many of one kind hide no other.
 */
export function gravestFindings(findings: readonly Finding[], most: number): readonly Finding[] {
  if (findings.length <= most) return findings
  const seen = new Map<string, number>()
  const ranked = findings.map((finding) => {
    const nth = seen.get(finding.kind) ?? 0
    seen.set(finding.kind, nth + 1)
    return { finding, rank: 3 * nth + grave[finding.severity] }
  })
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ finding }) => finding)
}

/** The literal of a string that is held back. */
export type HeldString = Pick<StringPlace, 'at' | 'end'> & {
  readonly kinds: readonly FindingKind[]
}

/** The result of a scan. */
export type Scan = {
  /** The findings in the order of the document; of each kind the first 25. */
  readonly findings: readonly Finding[]
  /** Describes how many there are of each kind. */
  readonly counts: Readonly<Partial<Record<FindingKind, number>>>
  /** The strings that are held back, in the order of the document. */
  readonly held: readonly HeldString[]
  /** Whether all of the document is held back: too many of its strings would be, or it nests too deep. */
  readonly isAllHeld: boolean
}

/** The most characters of an excerpt. */
const most = 100

const unsafe =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffc}\u2800]|(?! )\p{Zs}|\p{M}{4,}/gu

/**
 * Returns the beginning of a text in one line, with the codes of what nothing shows or what acts on
 * a terminal, such as `\u{200b}`.
 */
export function safeExcerpt(text: string): string {
  const characters = Array.from(text.slice(0, 2 * most))
  const shown = characters.slice(0, most).join('').replaceAll(unsafe, codesOf)
  const isCut = characters.length > most || text.length > 2 * most || shown.length > 4 * most
  return isCut ? `${shown.slice(0, 4 * most)}…` : shown
}

const codesOf = (text: string): string =>
  Array.from(text, (it) => `\\u{${(it.codePointAt(0) ?? 0).toString(16)}}`).join('')
