import { type Lineage, linkOf, type Relative, type TokenId, trimCard } from '@heirloom/core'
import type { Kysely } from 'kysely'
import type { Database } from '../schema.ts'
import { idOf, type ShownRow, toldToken } from './decode-rows.ts'
import { type Asked, shownTokens } from './filters.ts'
import { shownToken } from './reads.ts'

const mostAncestors = 64
const mostDescendants = 500

type Db = Kysely<Database>

/** Returns a token's kin, as one state has it. */
export function lineage({ db, inOneState }: Asked, tokenId: TokenId): Promise<Lineage | undefined> {
  return inOneState(db, (trx) => kinOf(trx, tokenId))
}

async function kinOf(db: Db, tokenId: TokenId): Promise<Lineage | undefined> {
  const token = await shownToken(db, idOf(tokenId))
  if (token === undefined) return undefined
  const ancestors = await ancestorsOf(db, token)
  const descendants = await descendantsOf(db, token.id)
  const found = await rowsOf(db, descendants.slice(0, mostDescendants))
  return {
    ...relative(token),
    ancestors: ancestors.slice(0, mostAncestors).map(relative).map(trimCard),
    descendants: found.map(relative).map(trimCard),
    isCut: ancestors.length > mostAncestors || descendants.length > mostDescendants,
  }
}

async function ancestorsOf(db: Db, token: ShownRow): Promise<readonly ShownRow[]> {
  const found: ShownRow[] = []
  let next = token.parent
  while (next !== null && found.length <= mostAncestors) {
    const row = await shownToken(db, next)
    if (row === undefined) break
    found.push(row)
    next = row.parent
  }
  return found
}

/**
 * Returns the ids of the first descendants, one more than are told. A child is younger than its
 * parent, so nothing that lies behind so many at one depth can be among the first, nor can its own.
 */
async function descendantsOf(db: Db, id: number): Promise<readonly number[]> {
  let found: readonly number[] = []
  let parents: readonly number[] = [id]
  while (parents.length > 0) {
    const children = await childrenOf(db, parents)
    found = [...found, ...children].toSorted((one, other) => one - other)
    found = found.slice(0, mostDescendants + 1)
    const kept = new Set(found)
    parents = children.filter((child) => kept.has(child))
  }
  return found
}

async function childrenOf(db: Db, parents: readonly number[]): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('token')
    .select('id')
    .where('parent', 'in', parents)
    .orderBy('id')
    .limit(mostDescendants + 1)
    .execute()
  return rows.map(({ id }) => id)
}

async function rowsOf(db: Db, ids: readonly number[]): Promise<readonly ShownRow[]> {
  if (ids.length === 0) return []
  return shownTokens(db).where('token.id', 'in', ids).orderBy('token.id').execute()
}

function relative(row: ShownRow): Relative {
  const token = toldToken(row)
  return { token, link: linkOf(token) }
}
