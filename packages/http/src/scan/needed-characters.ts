const scripts = (...names: readonly string[]) =>
  `[${names.map((name) => `\\p{Script=${name}}`).join('')}]`

const joined = scripts(
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Adlam', 'Hanifi_Rohingya', 'Devanagari'],
  ...['Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Balinese', 'Javanese'],
)
const unspaced = scripts('Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan', 'Tai_Tham')
const picture = '\\p{Extended_Pictographic}'

/**
 * Characters that a script or an emoji needs (UAX #31, UTS #51): joiners, breaks of lines, variants
 * of a character, and the tags of a flag.
 */
const needed = new RegExp(
  [
    `(?<=${joined})[\\u200c\\u200d]`,
    `(?<=${unspaced})\\u200b`,
    '(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]',
    `(?<=[${picture}\\d#*©®\\p{S}])[\\ufe0e\\ufe0f](?![\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])`,
    `(?<=(?:${picture}|\\p{Emoji_Modifier})\\ufe0f?)\\u200d(?=${picture})`,
    '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}](?![\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])',
    '(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}',
  ].join('|'),
  'gu',
)

/** Returns the positions of characters without a shape of their own that a text needs. */
export function neededPositions(text: string): ReadonlySet<number> {
  const found = [...text.matchAll(needed)].flatMap(({ 0: match, index }) =>
    // A tag is a pair of surrogates.
    Array.from(match, (_, nth) => index + (match.length > 1 ? 2 * nth : nth)),
  )
  return new Set(found)
}
