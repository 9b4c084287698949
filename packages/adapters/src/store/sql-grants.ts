import {
  type Account,
  type DepositedGrant,
  day,
  Failure,
  type Grant,
  type GrantId,
  type GrantPair,
  type GrantRequest,
  type Grants,
  type GrantsInput,
  type Hex,
  type Instant,
  longestGrant,
  type Name,
  type Registry,
  tokenId,
  toSeconds,
} from '@heirloom/core'
import type { Kysely } from 'kysely'
import { foreignCursor, pageOf } from '../platform/sql/list-page.ts'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'
import { registryId } from './seal-notes.ts'
import { answered as answeredBy, type Store } from './store.ts'

/**
 * A grant that is `live` or `revoked`; or a `floor`, whose id is its owner, and before whose `issuedAt`
 * all grants of the owner are revoked. Times are seconds since 1970.
 */
type GrantRow = {
  /** The registry of the token: `<chain id>:<address>`, in lower case. */
  registry: string
  id: string
  /** In lower case. */
  owner: string
  /** In lower case; empty where it was never deposited. */
  reader: string
  /** 1 where its reader accepted the owner, else 0. */
  accepted: number
  state: 'live' | 'revoked' | 'floor'
  issuedAt: number
  expires: number
  /** The client that brought it. */
  client: string
  /** The grant as JSON, empty for one that is not live. */
  text: string
  signature: string
  label: string
}

/**
 * The epoch of the data folder at the last start, which is another one after a restore; in a store that
 * servers share, the number of revocations.
 */
type EpochRow = { registry: string; epoch: number }

type Db = Kysely<{ accessGrant: GrantRow; accessGrantEpoch: EpochRow }>

const script = `
CREATE TABLE "accessGrant" ("registry" text not null, "id" text not null, "owner" text not null,
  "state" text not null, "issuedAt" bigint not null, "expires" bigint not null,
  "client" text not null, "text" text not null, "signature" text not null, "label" text not null,
  constraint "access_grant_id" primary key ("registry", "id"));
CREATE INDEX "access_grant_owner" on "accessGrant" ("registry", "owner", "issuedAt", "id");
CREATE INDEX "access_grant_client" on "accessGrant" ("registry", "client");
CREATE INDEX "access_grant_end" on "accessGrant" ("registry", "expires");
CREATE TABLE "accessGrantEpoch" ("registry" text primary key, "epoch" bigint not null);
`

/** Adds the reader of each grant, and what readers accepted: nothing before this step. */
const readers = [
  `ALTER TABLE "accessGrant" ADD COLUMN "reader" text default '' not null;
ALTER TABLE "accessGrant" ADD COLUMN "accepted" integer default 0 not null;
`,
  { inUse: fillReaders },
  'CREATE INDEX "access_grant_reader" on "accessGrant" ("registry", "reader", "accepted", "issuedAt", "id");',
]

async function fillReaders(db: Db): Promise<void> {
  const live = await db.selectFrom('accessGrant').selectAll().where('state', '=', 'live').execute()
  for (const { registry, id, text } of live) {
    await db
      .updateTable('accessGrant')
      .set({ reader: JSON.parse(text).reader.toLowerCase() })
      .where('registry', '=', registry)
      .where('id', '=', id)
      .execute()
  }
}

/** The versions of the tables of grants. */
export const grantTables: VersionedTables = {
  name: 'The grants',
  history: 'access_grant_version',
  steps: [[script], { adds: readers }],
}

export declare namespace sqlGrants {
  type Parts = Pick<Store, 'db' | 'commit' | 'migrate'>
  type Options = {
    /**
     * The epoch of the data folder that holds the store: a later one than at the last start makes every
     * grant wait until its owner deposits it again. None for a store that servers share.
     */
    readonly epoch?: number | undefined
    /** The mark beside a store that servers share. */
    readonly mark?: RevocationMark | undefined
  }
}

/**
 * Keeps the number of revocations outside of their store, durably: a store that has fewer was restored,
 * and every grant waits until its owner deposits it again.
 */
export type RevocationMark = {
  /** Returns the last number; 0 where there is none. */
  read(): number
  write(count: number): void
}

/** Opens the grants of a registry in a store. */
export async function sqlGrants(
  store: sqlGrants.Parts,
  place: Registry,
  { epoch, mark }: sqlGrants.Options = {},
): Promise<Grants> {
  await store.migrate(grantTables)
  const db = store.db as unknown as Db
  const registry = registryId(place)
  const { change, takeBack } = changesOf(store, registry, mark)
  if (epoch !== undefined) {
    await change('open', (rows) => forgetBefore(rows, epoch))
  }
  if (mark !== undefined) {
    mark.write(await change('open', (rows) => forgetFewer(rows, mark.read())))
  }
  return {
    deposit: (deposited, request) => change('deposit', (rows) => deposit(rows, deposited, request)),
    find: (id) =>
      answered('find', async () => {
        const rows = rowsOf(db, registry)
        const row = await rows.find(id)
        if (row?.state !== 'live') return undefined
        // It may have been deposited while all were revoked.
        return isBelow(row, await rows.find(row.owner)) ? undefined : depositedOf(row)
      }),
    revoke: (revocation, request) => takeBack((rows) => revoke(rows, revocation, request)),
    revokeAll: (owner, before, request) =>
      takeBack((rows) => revokeAll(rows, { owner: owner.toLowerCase(), before }, request)),
    revokeName: (owner, name, now) =>
      takeBack((rows) => revokeName(rows, { owner: owner.toLowerCase(), name }, now)),
    list: (owner, page) => listBy(rowsOf(db, registry), 'owner', owner, page),
    accept: (pair, now) => change('accept', (rows) => accept(rows, pair, now)),
    ignore: (pair) => change('ignore', (rows) => setAccepted(rows, pair, 0)),
    received: (reader, page) => listBy(rowsOf(db, registry), 'reader', reader, page),
  }
}

/** Returns a page of the live grants of an owner, or of those to a reader by whom it accepted. */
async function listBy(
  { all }: Rows,
  column: 'owner' | 'reader',
  account: Account,
  { after, limit, now }: GrantsInput,
) {
  const of = account.toLowerCase()
  const end = after === undefined ? undefined : readCursor(after, column, of)
  const found = await answered('list', () => {
    const byColumn = all().where(column, '=', of)
    const seen = column === 'owner' ? byColumn : byColumn.where('accepted', '=', 1)
    const live = seen
      .where('state', '=', 'live')
      .where('expires', '>', toSeconds(now))
      .orderBy('issuedAt', 'desc')
      .orderBy('id')
    const rest =
      end === undefined
        ? live
        : live.where(({ eb, and, or }) =>
            or([
              eb('issuedAt', '<', end.issuedAt),
              and([eb('issuedAt', '=', end.issuedAt), eb('id', '>', end.id)]),
            ]),
          )
    return rest.limit(limit + 1).execute()
  })
  const cursorOf = ({ issuedAt, id }: GrantRow) => `${column}.${of}.${issuedAt}.${id}`
  return pageOf(found, { limit, decode: depositedOf, cursorOf })
}

/** Returns what changes rows, and what also takes something back. */
function changesOf(
  store: Pick<Store, 'commit'>,
  registry: string,
  mark: RevocationMark | undefined,
) {
  const change = <T>(operation: string, work: (rows: Rows) => Promise<T>) =>
    answered(operation, () => store.commit((trx) => work(rowsOf(trx as unknown as Db, registry))))
  /** Takes something back, and has the mark say so before anybody learns that it counts. */
  const takeBack = async <T>(work: (rows: Rows) => Promise<T>): Promise<T> => {
    if (mark === undefined) return change('revoke', work)
    const counted = async (rows: Rows) => [await work(rows), await countRevocation(rows)] as const
    const [result, count] = await change('revoke', counted)
    if (count > mark.read()) mark.write(count)
    return result
  }
  return { change, takeBack }
}

type Rows = ReturnType<typeof rowsOf>

/** Returns the reads and the writes of the rows of a registry. */
const rowsOf = (db: Db, registry: string) => {
  const all = () => db.selectFrom('accessGrant').selectAll().where('registry', '=', registry)
  return {
    db,
    registry,
    all,
    find: (id: string) => all().where('id', '=', id).executeTakeFirst(),
    update: () => db.updateTable('accessGrant').where('registry', '=', registry),
    remove: () => db.deleteFrom('accessGrant').where('registry', '=', registry),
    epoch: async () => {
      const all = db.selectFrom('accessGrantEpoch').where('registry', '=', registry)
      const found = await all.select('epoch').executeTakeFirst()
      return found && Number(found.epoch)
    },
    setEpoch: async (epoch: number) => {
      await db
        .insertInto('accessGrantEpoch')
        .values({ registry, epoch })
        .onConflict((it) => it.column('registry').doUpdateSet({ epoch }))
        .execute()
    },
    /** Adds a row, or replaces one that is there, unless that is revoked. */
    put: async (row: Omit<GrantRow, 'registry'>) => {
      const { id: _, client: __, ...changed } = row
      await db
        .insertInto('accessGrant')
        .values({ ...row, registry })
        .onConflict((it) =>
          it
            .columns(['registry', 'id'])
            .doUpdateSet(changed)
            .where('accessGrant.state', '!=', 'revoked')
            // Of two floors that are raised at once the higher one stays.
            .whereRef('accessGrant.issuedAt', '<=', 'excluded.issuedAt' as never),
        )
        .execute()
    },
    count: async (column?: 'owner' | 'client', value = '') => {
      const of = db.selectFrom('accessGrant').where('registry', '=', registry)
      const { count, live, floors } = await (column === undefined
        ? of
        : of.where(column, '=', value)
      )
        .select(({ fn }) => [
          fn.countAll().as('count'),
          fn.count('id').filterWhere('state', '=', 'live').as('live'),
          fn.count('id').filterWhere('state', '=', 'floor').as('floors'),
        ])
        .executeTakeFirstOrThrow()
      return { count: Number(count), live: Number(live), floors: Number(floors) }
    },
  }
}

const ofPair = ({ all }: Rows, { owner, reader }: GrantPair) =>
  all().where('owner', '=', owner.toLowerCase()).where('reader', '=', reader.toLowerCase())

async function setAccepted({ update }: Rows, { owner, reader }: GrantPair, accepted: 0 | 1) {
  const pair = update()
    .where('owner', '=', owner.toLowerCase())
    .where('reader', '=', reader.toLowerCase())
  await pair.set({ accepted }).execute()
}

const notLive = { text: '', signature: '', label: '' }

/** The reader of what nobody deposited, whom no grant names. */
const noReader = { reader: '', accepted: 0 }

const isBelow = (row: Pick<GrantRow, 'issuedAt'>, floor: GrantRow | undefined): boolean =>
  floor !== undefined && Number(row.issuedAt) < Number(floor.issuedAt)

async function deposit(rows: Rows, { id, grant, ...rest }: DepositedGrant, request: GrantRequest) {
  await forgetEnded(rows, request)
  const owner = grant.owner.toLowerCase()
  const { issuedAt, expires } = grant
  const known = await rows.find(id)
  if (known?.state === 'revoked' || isBelow({ issuedAt }, await rows.find(owner))) {
    throw new Failure('grant/revoked', { grant: id })
  }
  if (known === undefined) {
    const { count, floors } = await rows.count('owner', owner)
    refuse('this owner', count - floors, request.bounds.ofOwner)
    await requireRoom(rows, request)
  }
  const { client } = request
  const text = JSON.stringify(grant, (_, it) => (typeof it === 'bigint' ? `${it}` : it))
  const accepted = await ofPair(rows, grant).where('accepted', '=', 1).limit(1).execute()
  const seen = { reader: grant.reader.toLowerCase(), accepted: accepted.length }
  await rows.put({ id, owner, ...seen, state: 'live', issuedAt, expires, client, text, ...rest })
  // Another transaction may have revoked it since it was read; then its row stayed as it is.
  if ((await rows.find(id))?.state !== 'live') throw new Failure('grant/revoked', { grant: id })
}

type Revocation = Parameters<Grants['revoke']>[0]

async function revoke(
  rows: Rows,
  { id, owner: by, grant }: Revocation,
  request: GrantRequest,
): Promise<boolean> {
  await forgetEnded(rows, request)
  const owner = by.toLowerCase()
  const known = await rows.find(id)
  if (known === undefined && grant === undefined) return false
  if (known === undefined && grant && isBelow(grant, await rows.find(owner))) return true
  if (known === undefined) await requireRoomUnseen(rows, request)
  else if (known.owner !== owner) return false
  const { issuedAt = 0, expires = 0 } = known ?? grant ?? {}
  const { client } = request
  const { reader, accepted } = known ?? noReader
  const row = { id, owner, reader, accepted, state: 'revoked', issuedAt, expires, client } as const
  await rows.put({ ...row, ...notLive })
  return true
}

/** Has a reader see the grants of an owner, if a live one is there. */
async function accept(rows: Rows, pair: GrantPair, now: Instant): Promise<boolean> {
  const live = ofPair(rows, pair).where('state', '=', 'live').where('expires', '>', toSeconds(now))
  if ((await live.executeTakeFirst()) === undefined) return false
  await setAccepted(rows, pair, 1)
  return true
}

type Floor = { readonly owner: string; readonly before: number }

async function revokeAll(rows: Rows, { owner, before }: Floor, request: GrantRequest) {
  await forgetEnded(rows, request)
  const floor = await rows.find(owner)
  if ((await rows.count('owner', owner)).count === 0) await requireRoomUnseen(rows, request)
  const issuedAt = Math.max(before, Number(floor?.issuedAt ?? 0))
  const { client } = request
  const row = { id: owner, owner, state: 'floor', issuedAt, client, ...notLive } as const
  await rows.put({ ...row, ...noReader, expires: issuedAt + longestGrant })
  // The time alone keeps all before it from being deposited again.
  await rows.remove().where('owner', '=', owner).where('issuedAt', '<', issuedAt).execute()
}

type Named = { readonly owner: string; readonly name: Name }

async function revokeName(rows: Rows, { owner, name }: Named, now: Instant): Promise<number> {
  const ofOwner = rows.all().where('owner', '=', owner).where('state', '=', 'live')
  const named = (await ofOwner.execute()).filter((it) => depositedOf(it).grant.name === name)
  // An empty list is no SQL.
  if (named.length === 0) return 0
  const ids = named.map(({ id }) => id)
  const end = rows.update().where('id', 'in', ids)
  await end.set({ state: 'revoked', ...notLive }).execute()
  const floor = await rows.find(owner)
  return named.filter((it) => Number(it.expires) > toSeconds(now) && !isBelow(it, floor)).length
}

const dayInSeconds = day / 1000

async function forgetEnded({ remove }: Rows, { now }: GrantRequest): Promise<void> {
  await remove()
    .where('expires', '<', toSeconds(now) - dayInSeconds)
    .execute()
}

/**
 * Forgets the live grants after a restore, but for what was revoked: the copy may lack a revocation, and
 * only a deposit of the owner says that there was none.
 */
async function forgetBefore(rows: Rows, epoch: number): Promise<void> {
  const known = await rows.epoch()
  if (known === epoch) return
  if (known !== undefined) await rows.remove().where('state', '=', 'live').execute()
  await rows.setEpoch(epoch)
}

/** Forgets the live grants where there were more revocations; returns how many there are. */
async function forgetFewer(rows: Rows, seen: number): Promise<number> {
  const known = (await rows.epoch()) ?? 0
  if (known >= seen) return known
  await rows.remove().where('state', '=', 'live').execute()
  // Other servers that saw as many forget nothing again.
  await rows.setEpoch(seen + 1)
  return seen + 1
}

/** Counts a revocation; one transaction waits for the other here. */
async function countRevocation({ db, registry }: Rows): Promise<number> {
  const { epoch } = await db
    .insertInto('accessGrantEpoch')
    .values({ registry, epoch: 1 })
    .onConflict((it) =>
      it
        .column('registry')
        .doUpdateSet((eb) => ({ epoch: eb('accessGrantEpoch.epoch', '+', eb.lit(1)) })),
    )
    .returning('epoch')
    .executeTakeFirstOrThrow()
  return Number(epoch)
}

async function requireRoom(rows: Rows, { client, bounds }: GrantRequest) {
  refuse('this client', (await rows.count('client', client)).count, bounds.ofClient)
  const all = await rows.count()
  refuse('all owners', all.count, bounds.inAll)
  return all
}

/** Requires room for a revocation by one who may own nothing: half of all room is for deposits. */
async function requireRoomUnseen(rows: Rows, request: GrantRequest): Promise<void> {
  const { count, live } = await requireRoom(rows, request)
  refuse('all owners that deposited none', count - live, Math.floor(request.bounds.inAll / 2))
}

function refuse(what: string, number: number, limit: number): void {
  if (number >= limit) throw new Failure('grant/too-many', { what, limit })
}

type GrantText = Omit<Grant, 'tokenId' | 'transferCount'> & {
  readonly tokenId: string
  readonly transferCount: string
}

function depositedOf({ id, text, signature, label }: GrantRow): DepositedGrant {
  const { transferCount, ...rest } = JSON.parse(text) as GrantText
  const grant = {
    ...rest,
    tokenId: tokenId(rest.tokenId),
    transferCount: BigInt(transferCount),
  }
  return { id: id as GrantId, grant, signature: signature as Hex, label }
}

/** @throws `request/malformed` */
function readCursor(cursor: string, column: string, account: string) {
  const [, list, of, issuedAt, id] =
    /^(owner|reader)\.(0x[0-9a-f]{40})\.(\d{1,15})\.(0x[0-9a-f]{64})$/.exec(cursor) ?? []
  if (list === column && of === account && id !== undefined) {
    return { issuedAt: Number(issuedAt), id }
  }
  throw foreignCursor()
}

/** Returns the result of an operation. @throws `grant/unavailable` */
const answered = <T>(operation: string, act: () => Promise<T>): Promise<T> =>
  answeredBy(act, (cause) => new Failure('grant/unavailable', { operation }, { cause }))
