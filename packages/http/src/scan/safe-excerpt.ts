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
