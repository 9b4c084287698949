/**
 * Controls, halves of pairs, line and paragraph separators, marks that turn the direction of
 * writing, annotations, and all that is not seen: text can be hidden in it, or two texts look alike.
 * So can it in what stands for nothing or is drawn by nobody: a note without a head, fillers, what
 * joins hieroglyphs, characters of private use and those that Unicode has promised never to give.
 */
const unseen =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{FFF9}-\u{FFFC}\u{13430}-\u{1343F}\u{16FE4}\u{1D159}]/u

/** The blank of braille, which belongs only to a text that has other braille. */
const blank = '\u2800'

/** Scripts in which a joiner or its contrary changes how the letters before it are written. */
const joining = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Phags_Pa', 'Adlam', 'Hanifi_Rohingya'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada'],
  ...['Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Balinese', 'Javanese', 'Sundanese'],
]

/** Scripts without spaces, in which a space of no width says where a line may end. */
const unspaced = ['Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan', 'Tai_Tham', 'New_Tai_Lue']

const letterOf = (scripts: readonly string[]) =>
  `(?<=(?=[\\p{L}\\p{M}])[${scripts.map((name) => `\\p{Script=${name}}`).join('')}])`

const pictograph = '\\p{Extended_Pictographic}'

/** What is not seen and yet belongs to the writing, each once and only where it does something. */
const meant = new RegExp(
  [
    `${letterOf(joining)}[\\u200C\\u200D]`,
    `${letterOf(unspaced)}\\u200B`,
    `${letterOf(['Mongolian'])}[\\u180B-\\u180D\\u180F]`,
    // How a pictograph is drawn, and several that make one.
    `(?<=${pictograph})[\\uFE0E\\uFE0F]`,
    `(?<=[0-9#*])\\uFE0F(?=\\u20E3)`,
    `(?<=${pictograph}[\\uFE0F\\p{Emoji_Modifier}]?)\\u200D(?=${pictograph})`,
  ].join('|'),
  'gu',
)

/** Tibetan writes its letters below each other as marks; elsewhere four are more than any language has. */
const heap = /(?:(?!\p{Script=Tibetan})[\p{Mn}\p{Me}]){5}|[\p{Mn}\p{Me}]{12}/u

const visible = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Returns what makes one line of text look other than it is; absent where nothing does. */
export function misleadingText(text: string): string | undefined {
  const found = unseen.exec(text.replace(meant, ''))?.[0] ?? blankOf(text)
  if (found !== undefined) {
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `holds U+${code}, which shows text as other than it is`
  }
  return heap.test(text) ? 'holds more than four marks on one letter' : undefined
}

const blankOf = (text: string): string | undefined =>
  text.includes(blank) && !/[\u2801-\u28FF]/u.test(text) ? blank : undefined

/** Returns what makes two names look alike by their spaces; absent where nothing does. */
export function misleadingSpace(text: string): string | undefined {
  if (/^\p{White_Space}|\p{White_Space}$/u.test(text)) return 'begins or ends with white space'
  if (/\p{White_Space}{2}/u.test(text)) return 'has more than one space in a row'
  return text.includes('\u00A0') ? 'holds U+00A0, a space that looks like another' : undefined
}

/** Tells whether anything of a text is seen. */
export const isVisible = (text: string): boolean => visible.test(text)
