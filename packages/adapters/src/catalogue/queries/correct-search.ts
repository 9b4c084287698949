import { firstLetters, nearestWord, typosAllowed } from '@heirloom/core'
import { expressionBuilder, sql } from 'kysely'
import type { Database } from '../schema.ts'
import type { QueryContext } from './select-tokens.ts'

/** The most words that a misspelt word is compared with: those that most cards have. */
const mostCompared = 2000

/** The most unknown words that are corrected; a search of more is no slip of the fingers. */
const mostCorrected = 3

const it = expressionBuilder<Database, 'word'>()

/**
 * Returns a search with each unknown word replaced by the most similar word of the cards; `undefined`
 * when all are known, or one is similar to none.
 */
export async function correctSearch(
  context: QueryContext,
  words: readonly string[],
): Promise<string | undefined> {
  const unknown = await unknownOf(context, words)
  if (unknown.size > mostCorrected) return undefined
  const corrected: string[] = []
  for (const word of words) {
    const known = unknown.has(word) ? await findNearest(context, word) : word
    if (known === undefined) return undefined
    corrected.push(known)
  }
  const text = corrected.join(' ')
  return text === words.join(' ') ? undefined : text
}

async function unknownOf(
  context: QueryContext,
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  const unknown = new Set<string>()
  for (const word of words) if (!(await isKnown(context, word))) unknown.add(word)
  return unknown
}

/** Returns whether a card has a word that begins with this one. */
async function isKnown({ db }: QueryContext, word: string): Promise<boolean> {
  const found = await db
    .selectFrom('word')
    .select('word')
    .where('word', '>=', word)
    .orderBy('word')
    .limit(1)
    .executeTakeFirst()
  return found?.word.startsWith(word) === true
}

/** Returns the word of the cards that is most similar to one; `undefined` when none is. */
export async function findNearest(
  { db, abortIfSlow }: QueryContext,
  word: string,
): Promise<string | undefined> {
  if (typosAllowed(word) === 0) return undefined
  const known = await db
    .selectFrom('word')
    .select(['word', 'cards'])
    .where(abortIfSlow(it.ref('cards')))
    .where(sql`substr(word, 1, 1)`, 'in', firstLetters(word))
    .orderBy('cards', 'desc')
    .orderBy('word')
    .limit(mostCompared)
    .execute()
  return nearestWord(word, known)
}
