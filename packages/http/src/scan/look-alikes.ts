/** Each Latin letter, before the letters of other scripts that look like it. */
const groups =
  'aаɑα bЬв cсϲ dԁ eе gɡ hһн iіι jј kкκ lӏ mм nп oоο pрρ qԛ rг sѕ tтτ uυ vν wԝ xхχ yуү AАΑ BВΒ CС EЕΕ HНΗ IІΙ JЈ KКΚ MМΜ NΝ OОΟ PРΡ SЅ TТΤ XХΧ YΥ ZΖ'

/** Maps a letter of another script to the Latin letter that it looks like, in lower case. */
export const lookAlikes: ReadonlyMap<string, string> = new Map(
  groups
    .split(' ')
    .flatMap((group) => [...group.slice(1)].map((it) => [it, group.charAt(0).toLowerCase()])),
)

/** A stretch of a text. */
export type Stretch = { readonly start: number; readonly end: number }

const words = /[\p{L}\p{M}\u200b-\u200d\u2060\ufeff]{2,200}/gu
const latin = /\p{Script=Latin}/gu
const foreign = /[\p{Script=Cyrillic}\p{Script=Greek}]/gu

/**
 * Finds the words that mix Latin letters with Cyrillic or Greek ones that look like Latin ones.
 * Symbols of science, such as `μm` and `νmax`, have a Greek letter at one end.
 */
export function mixedWords(text: string): readonly Stretch[] {
  return [...text.matchAll(words)]
    .filter(([word]) => isMixed(word))
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length }))
}

function isMixed(word: string): boolean {
  const foreigners = word.match(foreign) ?? []
  const latins = word.match(latin) ?? []
  if (latins.length === 0 || !foreigners.every((it) => lookAlikes.has(it))) return false
  if (/\p{Script=Cyrillic}/u.test(word)) return true
  return latins.length > 1 && /(?<!^)\p{Script=Greek}(?!$)/u.test(word)
}
