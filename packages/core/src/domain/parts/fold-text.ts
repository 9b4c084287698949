/**
 * Folds the case of a text, and keeps its length in UTF-16 code units: each character becomes its
 * lower case where that has the same length and is ASCII only if the character was. So the Kelvin
 * sign is no k, and ASCII text is found by its bytes.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return Array.from(text, foldCharacter).join('')
}

function foldCharacter(character: string): string {
  const lower = character.toLowerCase()
  if (lower.length !== character.length) return character
  return isAscii(lower) && !isAscii(character) ? character : lower
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text)
}
