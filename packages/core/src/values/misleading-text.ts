/**
 * Characters that can hide text or make two texts look alike: controls, unpaired surrogates, line
 * and paragraph separators, marks of writing direction, interlinear annotations and invisible
 * characters. Also characters without a glyph: the null notehead, fillers, joiners and blanks of
 * hieroglyphs, private use and noncharacters.
 */
const invisible =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{FFF9}-\u{FFFC}\u{13430}-\u{1343F}\u{13441}\u{13442}\u{16FE4}\u{1D159}]/u

/** The braille blank, which is allowed only beside other braille. */
const blank = '\u2800'

/** Scripts in which a joiner or non-joiner changes the shape of the letters before it. */
const joining = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Phags_Pa', 'Adlam', 'Hanifi_Rohingya'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada'],
  ...['Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Balinese', 'Javanese', 'Sundanese'],
]

/** Scripts without spaces, in which a zero-width space marks where a line may break. */
const unspaced = ['Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan', 'Tai_Tham', 'New_Tai_Lue']

const letterOf = (scripts: readonly string[]) =>
  `(?<=(?=[\\p{L}\\p{M}])[${scripts.map((name) => `\\p{Script=${name}}`).join('')}])`

const pictograph = '\\p{Extended_Pictographic}'

/** Invisible characters that the script needs, each once and only where it has an effect. */
const required = new RegExp(
  [
    `${letterOf(joining)}[\\u200C\\u200D]`,
    `${letterOf(unspaced)}\\u200B`,
    `${letterOf(['Mongolian'])}[\\u180B-\\u180D\\u180F]`,
    // Variation selectors and joiners of emoji.
    `(?<=${pictograph})[\\uFE0E\\uFE0F]`,
    `(?<=[0-9#*])\\uFE0F(?=\\u20E3)`,
    `(?<=${pictograph}[\\uFE0F\\p{Emoji_Modifier}]?)\\u200D(?=${pictograph})`,
  ].join('|'),
  'gu',
)

/**
 * Too many marks on one letter. Tibetan stacks its letters as marks; no other script needs more
 * than four.
 */
const stackedMarks = /(?:(?!\p{Script=Tibetan})[\p{Mn}\p{Me}]){5}|[\p{Mn}\p{Me}]{12}/u

const visible = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Returns the problem of a text that could mislead its reader; `undefined` when there is none. */
export function misleadingText(text: string): string | undefined {
  const found = invisible.exec(text.replace(required, ''))?.[0] ?? strayBlank(text)
  if (found !== undefined) {
    return `contains ${nameOf(found)}, which can hide or disguise text`
  }
  return stackedMarks.test(text) ? 'has more than four marks on one letter' : undefined
}

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

const strayBlank = (text: string): string | undefined =>
  text.includes(blank) && !/[\u2801-\u28FF]/u.test(text) ? blank : undefined

const eastAsian = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo']
  .map((name) => `\\p{Script_Extensions=${name}}`)
  .concat('\\uFF01-\\uFF60')
  .join('')

/** Spaces that a script needs, each beside its letters. */
const spacesOfScripts = [
  `(?<=[${eastAsian}])\\u3000|\\u3000(?=[${eastAsian}])`,
  '(?<=\\p{Script=Ogham})\\u1680',
  '(?<=\\p{Script=Mongolian})\\u202F',
].join('|')

/** Spaces that do not break a line, between numbers and units and beside punctuation. */
const spacesOfProse = [
  '(?<=\\p{N})[\\u00A0\\u202F](?=[\\p{N}\\p{L}\\p{Sc}%‰°])',
  '[\\u00A0\\u202F](?=[:;!?»›])',
  '(?<=[«‹])[\\u00A0\\u202F]',
].join('|')

const neededInName = new RegExp(spacesOfScripts, 'gu')
const neededInProse = new RegExp(`${spacesOfScripts}|${spacesOfProse}`, 'gu')

/** The longest run of plain spaces in prose, which may be indented. */
const longestSpace = 40

/**
 * Returns the problem of the spaces in a name: it would look like another name. Returns `undefined`
 * when there is none.
 */
export function misleadingSpace(text: string): string | undefined {
  if (/^\p{White_Space}|\p{White_Space}$/u.test(text)) return 'begins or ends with white space'
  if (/\p{White_Space}{2}/u.test(text)) return 'has more than one space in a row'
  return unusualSpace(text.replace(neededInName, ''))
}

/**
 * Returns the problem of the spaces and line breaks in a text of several lines: several kinds of
 * spaces can hide a message, and many line breaks push other texts away. Returns `undefined` when
 * there is none.
 */
export function misleadingLayout(text: string, maxLineBreaks: number): string | undefined {
  if (text.split('\n').length - 1 > maxLineBreaks) {
    return `has more than ${maxLineBreaks} line breaks`
  }
  if (/(?:\n\p{Zs}*){3}/u.test(text)) return 'has more than one empty line in a row'
  if (text.includes(' '.repeat(longestSpace + 1))) {
    return `has more than ${longestSpace} spaces in a row`
  }
  return unusualSpace(text.replace(neededInProse, ''))
}

/** Returns the problem of a space that is not U+0020; `undefined` when there is none. */
function unusualSpace(text: string): string | undefined {
  const [found] = /(?! )\p{Zs}/u.exec(text) ?? []
  return found === undefined
    ? undefined
    : `contains ${nameOf(found)}, which looks like a plain space`
}

/** Returns whether a text has a visible character. */
export const isVisible = (text: string): boolean => visible.test(text)
