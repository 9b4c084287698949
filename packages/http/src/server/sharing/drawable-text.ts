/** The scripts that the font of the images has, with marks, digits and punctuation. */
const drawable =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Georgian}\p{Script=Inherited}\p{Script=Common}]*$/u

/** Describes what takes no place on a line, or is in no font of ours: controls, formats and pictographs. */
const undrawable =
  /\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{VS}/gu

/**
 * Returns a text on one line as the font of the images can show it, without pictographs; `undefined`
 * when nothing is left, or when it has letters that the font does not have.
 */
export function drawableText(text: string): string | undefined {
  // Digits and some signs are pictographs, too, as Unicode counts them.
  const cleaned = text.replace(undrawable, (sign) =>
    /[\p{N}\p{P}\p{Sc}©®™]/u.test(sign) ? sign : ' ',
  )
  const line = cleaned.replace(/\s+/gu, ' ').trim()
  return line !== '' && drawable.test(line) ? line : undefined
}

/**
 * Breaks a line into at most `most` lines, each at most `width` wide as small letters are, between
 * words where that is possible. A text that is longer ends in an ellipsis.
 */
export function breakLines(line: string, width: number, most: number): readonly string[] {
  const lines: string[] = []
  let rest = line
  while (rest !== '' && lines.length < most) {
    const taken = firstLine(rest, width)
    rest = rest.slice(taken.length).trimStart()
    lines.push(taken.trimEnd())
  }
  if (rest === '') return lines
  const last = fittingPart(lines.pop() ?? '', width - 1)
  return [...lines, `${last.trimEnd()}…`]
}

/** Returns the beginning of a text that fits a line; at least one character. */
function firstLine(text: string, width: number): string {
  const fitting = fittingPart(text, width)
  if (fitting === text) return text
  const space = text.charAt(fitting.length) === ' ' ? fitting.length : fitting.lastIndexOf(' ')
  if (space > 0) return text.slice(0, space)
  return fitting === '' ? String.fromCodePoint(text.codePointAt(0) ?? 0) : fitting
}

function fittingPart(text: string, width: number): string {
  let [at, room] = [0, width]
  for (const character of text) {
    room -= widthOf(character)
    if (room < 0) break
    at += character.length
  }
  return text.slice(0, at)
}

/** Returns the width of a character in widths of a small letter, rather too large than too small. */
export function widthOf(character: string): number {
  if (/[MWmw@%&ЖШЩЮжшщюƜɯ—…]/u.test(character)) return 1.6
  return /[\p{Lu}\p{S}\p{N}]/u.test(character) ? 1.2 : 1
}
