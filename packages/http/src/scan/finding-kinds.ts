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
