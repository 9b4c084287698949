import {
  allWordsBonus,
  type CardQuery,
  type CataloguedToken,
  type Page,
  type PageInput,
  scoredRanks,
  searchWords,
  stemOf,
  type WeightedWord,
  wordWeight,
} from '@heirloom/core'
import { expressionBuilder, sql } from 'kysely'
import { lastRank } from '../full-text.ts'
import type { Database } from '../schema.ts'
import { findNearest } from './correct-search.ts'
import { buildPage, decodeCursor } from './cursor.ts'
import {
  decodeMember,
  decodeToken,
  type FamilyNumbers,
  type JoinedTokenRow,
} from './decode-rows.ts'
import { type Condition, isVersion, placesInFamilies, rankInFamily } from './filters.ts'
import { whileUnchanged } from './memoize-reads.ts'
import { type QueryContext, selectTokens } from './select-tokens.ts'

const it = expressionBuilder<Database, 'token' | 'search'>()

/** The most cards that the words of a search for some of them may have, added up, and the most found. */
const [mostCards, mostFound] = [10_000, 1000]

/** The words of a search for some of them: those that cards have, the rarest first, and the others. */
export type SomeWords = {
  readonly known: readonly WeightedWord[]
  readonly leftOut: readonly string[]
}

/**
 * Returns what a search for some of its words looks for. Words that too many cards have are ignored
 * beside rarer ones, so that the cost of the search is bounded.
 */
export const someWords = (context: QueryContext, search: string): Promise<SomeWords> =>
  whileUnchanged(context, ['words', { search }], async () => {
    const all = await countTokens(context)
    const read = await inTurn(searchWords(search), (word) => knownForm(context, word))
    const found = read.flatMap(({ form }) => form ?? []).toSorted((a, b) => a.cards - b.cards)
    const sums = found.map((_, index) =>
      found.slice(0, index + 1).reduce((n, it) => n + it.cards, 0),
    )
    const known = found.filter((_, index) => index === 0 || (sums[index] ?? 0) <= mostCards)
    return {
      known: known.map(({ word, cards }) => ({ word, weight: wordWeight(cards, all) })),
      leftOut: read.flatMap(({ word, form }) => (form === undefined ? [word] : [])),
    }
  })

type Form = { readonly word: string; readonly cards: number }

/** Returns the beginning by which cards have a word, or the most similar word that some have. */
async function knownForm(context: QueryContext, word: string) {
  const own = await withCards(context, stemOf(word))
  if (own !== undefined) return { word, form: own }
  const nearest = await findNearest(context, word)
  return { word, form: nearest === undefined ? undefined : await withCards(context, nearest) }
}

async function withCards({ db, fullText }: QueryContext, word: string): Promise<Form | undefined> {
  const matching = db
    .selectFrom('search')
    .select('search.rowid')
    .where(fullText.matches({ words: [word], rank: lastRank, isExact: false }))
    .limit(mostCards + 1)
  const row = await db
    .selectFrom(matching.as('matching'))
    .select((on) => on.fn.countAll<number | string>().as('cards'))
    .executeTakeFirstOrThrow()
  const cards = Number(row.cards)
  return cards === 0 ? undefined : { word, cards }
}

async function countTokens({ db }: QueryContext): Promise<number> {
  const row = await db
    .selectFrom('token')
    .select((on) => on.fn.max<number | null>('id').as('last'))
    .executeTakeFirst()
  return Number(row?.last ?? 0)
}

async function inTurn<In, Out>(all: readonly In[], act: (one: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = []
  for (const one of all) results.push(await act(one))
  return results
}

/** Returns the condition that a token shows a card that a search finds. */
export async function showsMatch(
  context: QueryContext,
  { search = '', match }: Pick<CardQuery, 'search' | 'match'>,
): Promise<Condition> {
  const words = searchWords(search)
  const source = it.ref('token.source')
  if (words.length === 0) return sql`1 = 1`
  if (match !== 'any') {
    return context.fullText.namesMatch(source, { words, rank: lastRank, isExact: false })
  }
  const { known } = await someWords(context, search)
  if (known.length === 0) return sql`1 = 0`
  const scored = selectScored(context, known).as('scored')
  return it(source, 'in', context.db.selectFrom(scored).select('scored.rowid'))
}

export declare namespace scoredSearch {
  type Input = PageInput & {
    readonly search: string
    readonly conditions: readonly Condition[]
    /** `family` returns of each family only the newest version that matches, or else the first. */
    readonly group?: 'family' | undefined
    /** The name of the list in its cursors. */
    readonly kind: string
  }
}

type ScoredRow = JoinedTokenRow & { readonly score: number | string } & Partial<FamilyNumbers>

/**
 * Returns a page of the tokens whose cards hold some of the words of a search: those with all words
 * first, then the best score, then the newest card, then the newest token.
 */
export async function scoredSearch(
  context: QueryContext,
  { search, conditions, group, limit, after, kind }: scoredSearch.Input,
): Promise<Page<CataloguedToken>> {
  const { known } = await someWords(context, search)
  const end = decodeCursor({ after }, { kind, key: /^(0|[1-9]\d{0,9})\.(0|[1-9]\d{0,14})$/ })
  if (known.length === 0) return { items: [], next: undefined }
  const [score = 0, source = 0] = end?.[0].split('.').map(Number) ?? []
  const placed = selectPlaced(context, known, conditions)
  let select = selectTokens(context.db)
    .innerJoin(placed.as('placed'), 'placed.id', 'token.id')
    .select('placed.score')
    .orderBy('placed.score', 'desc')
    .orderBy('token.source', 'desc')
    .orderBy('token.id', 'desc')
    .limit(limit + 1)
  if (end !== undefined) {
    const place = sql`(${score}, ${source}, ${end[1]})`
    select = select.where(sql<boolean>`(placed.score, token.source, token.id) < ${place}`)
  }
  const rows: readonly ScoredRow[] =
    group === undefined
      ? await select.execute()
      : await select
          .where('placed.place', '=', 1)
          .select(['placed.members', 'placed.versions'])
          .execute()
  return buildPage(rows, {
    limit,
    kind,
    endOf: (row) => [`${row.score}.${row.source}`, row.id],
    decode: ({ members, versions, score: _score, ...row }) =>
      members === undefined || versions === undefined
        ? decodeToken(row)
        : decodeMember({ ...row, members, versions }),
  })
}

/** Selects the matching tokens with their scores, and with their places in their families. */
function selectPlaced(
  context: QueryContext,
  known: readonly WeightedWord[],
  conditions: readonly Condition[],
) {
  const order = sql`${rankInFamily}, CASE WHEN ${isVersion} THEN -token.id ELSE 0 END,
    scored.score DESC, token.source DESC, token.id DESC`
  return context.db
    .selectFrom('token')
    .innerJoin(selectScored(context, known).as('scored'), 'scored.rowid', 'token.source')
    .select(['token.id', 'scored.score'])
    .where(context.abortIfSlow(it.ref('token.id')))
    .where(it.and([...conditions]))
    .select(placesInFamilies(order))
}

/** Selects the best cards with some words, and their scores: the numbers that `searchScore` returns. */
function selectScored({ db, fullText, abortIfSlow }: QueryContext, known: readonly WeightedWord[]) {
  const hits = known.flatMap(({ word, weight }) =>
    scoredRanks.map(({ rank, times }) =>
      db
        .selectFrom('search')
        .select('search.rowid')
        .select(sql<number>`CAST(${weight * times} AS integer)`.as('weight'))
        .select(sql<number>`CAST(${rank === lastRank ? 1 : 0} AS integer)`.as('words'))
        .where(fullText.matches({ words: [word], rank, isExact: false })),
    ),
  )
  const all = hits.reduce((one, other) => one.unionAll(other))
  const bonus = sql`CASE WHEN SUM(hit.words) = ${known.length} THEN ${sql.lit(allWordsBonus)} ELSE 0 END`
  return db
    .selectFrom(all.as('hit'))
    .select('hit.rowid')
    .select(sql<number>`SUM(hit.weight) + ${bonus}`.as('score'))
    .groupBy('hit.rowid')
    .having((on) => abortIfSlow(on.ref('hit.rowid')))
    .orderBy('score', 'desc')
    .orderBy('hit.rowid', 'desc')
    .limit(mostFound)
}
