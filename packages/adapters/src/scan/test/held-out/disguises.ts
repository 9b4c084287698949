import type { Draw } from '../../../formats/test/draw.ts'

/** Writes each UTF-16 unit of a text in another way. */
export const within = (text: string, write: (unit: string) => string): string =>
  text.split('').map(write).join('')

/** Writes ASCII as Unicode tags, which nothing shows. */
export const inTags = (text: string): string =>
  within(text, (unit) => String.fromCodePoint(0xe0000 + unit.charCodeAt(0)))

/** Writes bytes as variation selectors: 16 of the basic plane, then 240 of plane 14. */
export const inSelectors = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
    .join('')

/** Writes bytes as zero-width characters, one for each bit. */
export const fromBytes = (text: string): string =>
  [...Buffer.from(text)]
    .flatMap((byte) => byte.toString(2).padStart(8, '0').split(''))
    .map((bit) => (bit === '1' ? '\u200C' : '\u200B'))
    .join('')

/** Puts a character into the middle of every word of a text. */
export const split = (text: string, between: string, of: Draw): string =>
  text.replaceAll(/[a-z]{4,}/gi, (word) => {
    const at = 1 + of.integer(word.length - 2)
    return `${word.slice(0, at)}${between}${word.slice(at)}`
  })
