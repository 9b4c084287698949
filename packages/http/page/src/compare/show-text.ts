/** The most characters of a value that are shown. */
const mostCharacters = 600

// Characters that show as nothing, or change how the text around them is shown.
const misleading = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Returns a text for display: its beginning if it is long, with escapes for characters that are not
 * seen, so that two texts that differ look different.
 */
export function showText(text: string): string {
  const rest = text.length - mostCharacters
  const shown = text
    .slice(0, mostCharacters)
    .replace(misleading, (it) => (it === '\n' ? ' ' : `\\u{${it.codePointAt(0)?.toString(16)}}`))
  return rest > 0 ? `${shown}… and ${rest.toLocaleString('en')} more characters` : shown
}
