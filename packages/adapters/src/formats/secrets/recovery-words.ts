import {
  czech,
  english,
  french,
  italian,
  japanese,
  korean,
  portuguese,
  simplifiedChinese,
  spanish,
  traditionalChinese,
} from 'viem/accounts'

/** The lists of 2,048 words of recovery phrases (BIP-39), each in the order of the list. */
export const recoveryWordLists: readonly string[][] = [
  english,
  spanish,
  french,
  italian,
  portuguese,
  czech,
  japanese,
  korean,
  simplifiedChinese,
  traditionalChinese,
]

const isAscii = /^[a-z]*$/i

/** Returns a word in the form of the lists (BIP-39): decomposed, in small letters. */
export const normalizeWord = (word: string): string =>
  (isAscii.test(word) ? word : word.normalize('NFKD')).toLowerCase()

/** The place of a word in a list of 2,048. */
export type WordPlace = { readonly list: number; readonly index: number }

/** The places of a word in the lists. */
export const placesOfWord: ReadonlyMap<string, readonly WordPlace[]> = indexWords()

function indexWords(): ReadonlyMap<string, readonly WordPlace[]> {
  const places = new Map<string, WordPlace[]>()
  for (const [list, words] of recoveryWordLists.entries()) {
    for (const [index, text] of words.entries()) {
      const word = normalizeWord(text)
      places.set(word, [...(places.get(word) ?? []), { list, index }])
    }
  }
  return places
}
