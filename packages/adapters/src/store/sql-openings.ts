import {
  type Account,
  account,
  type Digest,
  day,
  type Hex,
  instant,
  type OpenedScope,
  type Openings,
  type OpeningsOf,
  type RecordedOpening,
  type Registry,
  type Right,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import type { Kysely } from 'kysely'
import { getAddress } from 'viem'
import { foreignCursor, pageOf } from '../platform/sql/list-page.ts'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'
import { groupedWrites, longerStretches, type WaitingRow } from './opening-queue.ts'
import { registryId } from './seal-notes.ts'
import { answered, CommitUncertain, type Store, storeFailure } from './store.ts'

type OpeningTables = { opening: OpeningRow }

type OpeningRow = WaitingRow & {
  /** The registry of the token: `<chain id>:<address>`, in lower case. */
  registry: string
}

const script = `
CREATE TABLE "opening" ("registry" text not null, "tokenId" text not null, "owner" text not null,
  "at" bigint not null, "what" text not null, "asOf" bigint, "count" bigint not null,
  constraint "opening_of_owner" primary key ("registry", "tokenId", "owner", "at", "what"));
CREATE INDEX "opening_time" on "opening" ("registry", "at");
`

/** The versions of the table. */
const openingTables: VersionedTables = {
  name: 'The openings',
  history: 'opening_version',
  steps: [[script]],
}

/** The rows of one statement. */
const rowsAtOnce = 500

const hour = 3_600_000

export declare namespace sqlOpenings {
  type Parts = Pick<Store, 'db' | 'commit' | 'migrate' | 'now'>
  type Options = {
    /** The days after which openings are forgotten. */
    readonly days: number
  }
}

/** Openings in a store, which are written together within a second. */
export type SqlOpenings = Openings & {
  /** Returns how many openings this server has lost, because the store had trouble or no room. */
  lost(): number
  /** Writes what waits, if the store answers within a second. */
  close(): Promise<void>
}

/** Opens the openings of a registry in a store. */
export async function sqlOpenings(
  store: Store,
  place: Registry,
  { days }: sqlOpenings.Options,
): Promise<SqlOpenings> {
  await store.migrate(openingTables)
  const db = store.db as unknown as Db
  const registry = registryId(place)
  const write = async (rows: readonly WaitingRow[]) => {
    let isAdded = false
    const add = async (trx: unknown) => {
      await addRows(trx as Db, registry, rows)
      isAdded = true
    }
    await store.commit(add, 'lazily').catch((cause: unknown) => {
      throw isAdded ? new CommitUncertain('A commit was not answered.', { cause }) : cause
    })
  }
  const lengthen = longerStretches()
  const queue = groupedWrites({ rowOf: (opening) => rowOf(lengthen(opening)), write })
  const forget: Openings['forget'] = (before) =>
    answered(() => forgetBefore(db, registry, before), storeFailure)
  const sweep = () => void forget(instant(Math.max(0, store.now() - days * day))).catch(() => {})
  const sweeps = setInterval(sweep, hour).unref()
  sweep()
  return {
    record: queue.record,
    list: async (of, { after, limit }) => {
      const end = after === undefined ? undefined : readCursor(after, of.tokenId)
      await queue.settle()
      return answered(() => readPage(db, { ...of, registry }, { end, limit }), storeFailure)
    },
    has: async (of) =>
      queue.has(of) ||
      answered(
        async () =>
          (
            await rowsIn(db, { ...of, registry })
              .limit(1)
              .execute()
          ).length > 0,
        storeFailure,
      ),
    forget,
    lost: queue.lost,
    close: async () => {
      clearInterval(sweeps)
      await queue.close()
    },
  }
}

type Db = Kysely<OpeningTables>

async function addRows(db: Db, registry: string, rows: readonly WaitingRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await db
      .insertInto('opening')
      .values(rows.slice(from, from + rowsAtOnce).map((row) => ({ registry, ...row })))
      .onConflict((it) =>
        it.columns(['registry', 'tokenId', 'owner', 'at', 'what']).doUpdateSet((eb) => ({
          count: eb('opening.count', '+', eb.ref('excluded.count')),
          asOf: eb.ref('excluded.asOf'),
        })),
      )
      .execute()
  }
}

type End = Pick<OpeningRow, 'at' | 'what'>

type Of = OpeningsOf & Pick<OpeningRow, 'registry'>

const rowsIn = (db: Db, { registry, tokenId: id, owner }: Of) =>
  db
    .selectFrom('opening')
    .selectAll()
    .where('registry', '=', registry)
    .where('tokenId', '=', `${id}`)
    .where('owner', '=', owner.toLowerCase())

async function readPage(
  db: Db,
  of: Of,
  { end, limit }: { readonly end: End | undefined; readonly limit: number },
) {
  const all = rowsIn(db, of)
  const rest =
    end === undefined
      ? all
      : all.where(({ eb, and, or }) =>
          or([eb('at', '<', end.at), and([eb('at', '=', end.at), eb('what', '<', end.what)])]),
        )
  const ordered = rest.orderBy('at', 'desc').orderBy('what', 'desc')
  const rows = await ordered.limit(limit + 1).execute()
  return pageOf(rows, { limit, decode: openingOf, cursorOf })
}

/** Deletes a day after the other, so that nobody waits for all of it. */
async function forgetBefore(db: Db, registry: string, before: number): Promise<void> {
  const all = db.selectFrom('opening').where('registry', '=', registry)
  for (;;) {
    const first = await all.select('at').orderBy('at').limit(1).executeTakeFirst()
    if (first === undefined || Number(first.at) >= before) return
    const end = Math.min(before, Number(first.at) + day)
    const some = db.deleteFrom('opening').where('registry', '=', registry)
    await some.where('at', '<', end).execute()
  }
}

function rowOf({ tokenId: id, owner, at, asOf, count, ...opening }: RecordedOpening): WaitingRow {
  const what = wordsOf(opening)
  return { tokenId: `${id}`, owner: owner.toLowerCase(), at, what, asOf: asOf ?? null, count }
}

type What = Pick<RecordedOpening, 'right' | 'account' | 'scope' | 'digest' | 'seconds'>

/** Returns the words of an opening; a label, which may have spaces, is the last. */
function wordsOf({
  right,
  account: reader = '-' as Account,
  scope = '-' as OpenedScope,
  ...more
}: What) {
  const words = `${right.kind} ${reader} ${scope} ${more.digest} ${more.seconds}`
  return right.kind === 'grant' ? `${words} ${right.grant} ${right.label}` : words
}

function openingOf(row: OpeningRow): RecordedOpening {
  const [kind, reader, scope, of, seconds, grant, ...label] = row.what.split(' ')
  const right: Right =
    kind === 'grant'
      ? { kind, grant: grant as Hex, label: label.join(' ') }
      : { kind: kind as 'owner' | 'rental' }
  return {
    tokenId: tokenId(row.tokenId),
    digest: of as Digest,
    owner: account(getAddress(row.owner)),
    right,
    ...(reader !== '-' && { account: reader as Account, scope: scope as OpenedScope }),
    ...(row.asOf !== null && { asOf: instant(Number(row.asOf)) }),
    at: instant(Number(row.at)),
    seconds: Number(seconds),
    count: Number(row.count),
  }
}

const cursorOf = ({ tokenId: id, at, what }: OpeningRow) =>
  `openings.${id}.${at}.${Buffer.from(what).toString('base64url')}`

/** @throws `request/malformed` */
function readCursor(cursor: string, id: TokenId): End {
  const [, of, at, text = ''] =
    /^openings\.(\d{1,78})\.(\d{1,15})\.([\w-]{1,1000})$/.exec(cursor) ?? []
  const what = Buffer.from(text, 'base64url').toString()
  if (of === `${id}` && /^(owner|rental|grant) \P{Cc}+$/u.test(what))
    return { at: Number(at), what }
  throw foreignCursor()
}
