/**
 * Returns the end of a sentence that repeats a value, as in `; it is 0.1`, where that is safe: a short
 * word of plain characters, in which a key does not fit, and no address with a password. Returns an
 * empty text for others.
 */
export const shownValue = (text: string): string =>
  /^[\w.,:/@%$+-]{1,24}$/.test(text) && !/:.*@/.test(text) ? `; it is ${text}` : ''
