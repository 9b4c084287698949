import {
  type Currency,
  type FacetCount,
  type Facets,
  type Instant,
  type ListingsFilter,
  type Offer,
  searchWords,
} from '@heirloom/core'
import { type Expression, expressionBuilder, sql } from 'kysely'
import { decodeAccount, noPrice } from '../projection/stored-event.ts'
import type { Database } from '../schema.ts'
import { hexOf } from '../table.ts'
import { correctSearch } from './correct-search.ts'
import { type Condition, listingConditions } from './filters.ts'
import { whileUnchanged } from './memoize-reads.ts'
import { readFigures } from './reads.ts'
import { showsMatch, someWords } from './scored-search.ts'
import type { QueryContext } from './select-tokens.ts'

/** The most listings that are counted, and the most values of a kind that are returned. */
const [mostCounted, mostValues] = [20_000, 20]

const it = expressionBuilder<Database, 'token'>()

/** Reads the numbers of the listings that match a filter. */
export function readFacets(
  context: QueryContext,
  { since, ...filter }: ListingsFilter & { readonly since?: Instant | undefined },
): Promise<Facets> {
  return whileUnchanged(context, ['facets', { ...filter, since }], async () => ({
    ...(await countFacets(context, filter)),
    ...(since !== undefined && { market: await readFigures(context.db, since) }),
  }))
}

async function countFacets(context: QueryContext, filter: ListingsFilter): Promise<Facets> {
  const { search = '', match } = filter
  const leftOut = match === 'any' ? (await someWords(context, search)).leftOut : []
  const conditions = [...listingConditions(filter), await showsMatch(context, filter)]
  const totals = { leftOut, ...(await readTotals(context, conditions)) }
  if (totals.total === 0) {
    const correction = await correctSearch(context, searchWords(search))
    return { ...totals, categories: [], tags: [], makers: [], formats: [], correction }
  }
  const ofKind = (column: ValueColumn) => readValues(context, { conditions, column })
  const makers = await ofKind('matching.maker')
  return {
    ...totals,
    correction: undefined,
    categories: await ofKind('card.category'),
    tags: await ofKind('tag.tag'),
    formats: await ofKind('seal.format'),
    makers: makers.map(({ value, count }) => ({ value: decodeAccount(value), count })),
  }
}

/** Selects the newest tokens whose listings match, one more than are counted. */
function selectMatching({ db, abortIfSlow }: QueryContext, conditions: readonly Condition[]) {
  return db
    .selectFrom('token')
    .select(['token.id', 'token.source', 'token.maker', 'token.asset', 'token.family'])
    .select('token.digest')
    .select(['token.price', 'token.rentalPricePerDay', 'token.forkPrice'])
    .where(abortIfSlow(it.ref('token.id')))
    .where(it.and([...conditions]))
    .orderBy('token.id', 'desc')
}

const countIf = (condition: Expression<unknown>) =>
  sql<number | string>`COALESCE(SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0)`

type Totals = Pick<Facets, 'total' | 'isCut' | 'families' | 'offers' | 'currencies'>

async function readTotals(
  context: QueryContext,
  conditions: readonly Condition[],
): Promise<Totals> {
  const matching = selectMatching(context, conditions).limit(mostCounted + 1)
  const family = sql`CAST(matching.family AS text) || ' ' || matching.title`
  const row = await context.db
    .selectFrom(matching.select('token.title').as('matching'))
    .select((on) => [
      on.fn.countAll<number | string>().as('total'),
      sql<number | string>`COUNT(DISTINCT ${family})`.as('families'),
      countIf(on('matching.price', '>', noPrice)).as('sale'),
      countIf(on('matching.rentalPricePerDay', '>', noPrice)).as('rent'),
      countIf(on('matching.forkPrice', '>', noPrice)).as('fork'),
      countIf(on('matching.asset', 'is', null)).as('native'),
      countIf(on('matching.asset', 'is not', null)).as('dollar'),
    ])
    .executeTakeFirstOrThrow()
  const number = (name: 'total' | 'families' | Offer | Currency) => Number(row[name])
  const total = number('total')
  return {
    total: Math.min(total, mostCounted),
    isCut: total > mostCounted,
    families: Math.min(number('families'), mostCounted),
    offers: { sale: number('sale'), rent: number('rent'), fork: number('fork') },
    currencies: { native: number('native'), dollar: number('dollar') },
  }
}

const textIn = (value: string | Uint8Array | null): string =>
  value instanceof Uint8Array ? hexOf(value) : (value ?? '')

type ValueColumn = 'matching.maker' | 'card.category' | 'tag.tag' | 'seal.format'

type ValuesInput = {
  readonly conditions: readonly Condition[]
  readonly column: ValueColumn
}

/** Reads the values of a kind with the numbers of their listings, the most frequent first. */
async function readValues(
  context: QueryContext,
  { conditions, column }: ValuesInput,
): Promise<readonly FacetCount[]> {
  const matching = selectMatching(context, conditions).limit(mostCounted).as('matching')
  const base = context.db.selectFrom(matching)
  const joined = {
    'matching.maker': () => base,
    'card.category': () => base.innerJoin('card', 'card.tokenId', 'matching.source'),
    'tag.tag': () => base.innerJoin('tag', 'tag.tokenId', 'matching.source'),
    'seal.format': () => base.innerJoin('seal', 'seal.digest', 'matching.digest'),
  }[column]()
  const value = sql.ref<string | Uint8Array | null>(column)
  const rows = await joined
    .select((on) => [value.as('value'), on.fn.countAll<number | string>().as('count')])
    .where(value, 'is not', null)
    .groupBy(value)
    .orderBy('count', 'desc')
    .orderBy(value)
    .limit(mostValues)
    .execute()
  return rows.map((row) => ({ value: textIn(row.value), count: Number(row.count) }))
}
