import {
  type Lineage,
  type LineagePart,
  linkOf,
  type Relative,
  type TokenId,
  trimCard,
} from '@heirloom/core'
import type { Kysely } from 'kysely'
import type { Database } from '../schema.ts'
import { decodeToken, type JoinedTokenRow, rowIdOf } from './decode-rows.ts'
import { readToken } from './reads.ts'
import { type QueryContext, selectTokens } from './select-tokens.ts'

const maxAncestors = 64
const maxDescendants = 500

type Db = Kysely<Database>

/** Reads the ancestors and descendants of a token, in one state of the database. */
export function readLineage(
  { db, inReadTransaction, abortIfSlow }: QueryContext,
  input: LineageInput,
): Promise<Lineage | undefined> {
  return inReadTransaction(db, (trx) => lineageOf({ db: trx, abortIfSlow }, input))
}

type LineageInput = LineagePart & { readonly tokenId: TokenId }

type Context = Pick<QueryContext, 'db' | 'abortIfSlow'>

async function lineageOf(
  context: Context,
  { tokenId, after, limit = maxDescendants }: LineageInput,
): Promise<Lineage | undefined> {
  const { db } = context
  const token = await readToken(db, rowIdOf(tokenId))
  if (token === undefined) return undefined
  const ancestors = await ancestorsOf(db, token)
  const descendants =
    after === undefined
      ? await descendantsOf(db, token.id, limit)
      : await descendantsAfter(context, { id: token.id, after: rowIdOf(after), limit })
  const rows = await readRows(db, descendants.slice(0, limit))
  return {
    ...toRelative(token),
    ancestors: ancestors.slice(0, maxAncestors).map(toRelative).map(trimCard),
    descendants: rows.map(toRelative).map(trimCard),
    isCut: ancestors.length > maxAncestors || descendants.length > limit,
  }
}

async function ancestorsOf(db: Db, token: JoinedTokenRow): Promise<readonly JoinedTokenRow[]> {
  const ancestors: JoinedTokenRow[] = []
  let next = token.parent
  while (next !== null && ancestors.length <= maxAncestors) {
    const row = await readToken(db, next)
    if (row === undefined) break
    ancestors.push(row)
    next = row.parent
  }
  return ancestors
}

/**
 * Returns the ids of the first descendants, one more than are shown. A child has a higher id than
 * its parent, so a child that is cut from one generation can have no descendant among the first.
 */
async function descendantsOf(db: Db, id: number, limit: number): Promise<readonly number[]> {
  let descendants: readonly number[] = []
  let parents: readonly number[] = [id]
  while (parents.length > 0) {
    const children = await childrenOf(db, parents, limit)
    descendants = [...descendants, ...children].toSorted((one, other) => one - other)
    descendants = descendants.slice(0, limit + 1)
    const retained = new Set(descendants)
    parents = children.filter((child) => retained.has(child))
  }
  return descendants
}

/** Returns the ids of the first descendants after an id, one more than are shown: it walks all of them. */
async function descendantsAfter(
  { db, abortIfSlow }: Context,
  { id, after, limit }: { readonly id: number; readonly after: number; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await db
    .withRecursive('below', (it) =>
      it
        .selectFrom('token')
        .select('token.id')
        .where('token.parent', '=', id)
        .unionAll(
          it
            .selectFrom('token')
            .innerJoin('below', 'below.id', 'token.parent')
            .select('token.id')
            .where((on) => abortIfSlow(on.ref('token.id'))),
        ),
    )
    .selectFrom('below')
    .select('below.id')
    .where('below.id', '>', after)
    .orderBy('below.id')
    .limit(limit + 1)
    .execute()
  return rows.map((row) => row.id)
}

async function childrenOf(
  db: Db,
  parents: readonly number[],
  limit: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('token')
    .select('id')
    .where('parent', 'in', parents)
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return rows.map(({ id }) => id)
}

async function readRows(db: Db, ids: readonly number[]): Promise<readonly JoinedTokenRow[]> {
  if (ids.length === 0) return []
  return selectTokens(db).where('token.id', 'in', ids).orderBy('token.id').execute()
}

function toRelative(row: JoinedTokenRow): Relative {
  const token = decodeToken(row)
  return { token, link: linkOf(token) }
}
