/** The longest name that ENS resolves, in characters. */
const longestName = 255

/** The letters, digits, signs and pictographs of a label; nothing of it is a space or has no width. */
const label = /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Component}$_'’·-]+$/u

/** Matches a joiner that joins no pictographs. */
const looseJoiner = /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d/u

/** The scripts whose letters look like Latin ones. */
const alike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/**
 * Returns whether a name of ENS is written as it looks. The server sends names in their one spelling
 * (ENSIP-15); this keeps the page from what a server lets through.
 */
export function isPlainName(name: string): boolean {
  const labels = name.split('.')
  return name.length <= longestName && labels.length > 1 && labels.every(isPlainLabel)
}

const isPlainLabel = (text: string): boolean =>
  label.test(text) &&
  !looseJoiner.test(text) &&
  !(/\p{Script=Latin}/u.test(text) && alike.test(text))
