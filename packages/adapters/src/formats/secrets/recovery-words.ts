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

/** The lists that hold a word, by their index. */
export const listsOfWord: ReadonlyMap<string, readonly number[]> = indexWords()

function indexWords(): ReadonlyMap<string, readonly number[]> {
  const lists = new Map<string, number[]>()
  for (const [index, list] of recoveryWordLists.entries())
    for (const word of list.map(normalizeWord)) lists.set(word, [...(lists.get(word) ?? []), index])
  return lists
}
