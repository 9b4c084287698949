import {
  account,
  everyProfile,
  Failure,
  type Hex,
  instant,
  type MarkedProfile,
  type OldProfiles,
  type Profile,
  type Profiles,
  type Registry,
  skeletonOf,
} from '@heirloom/core'
import type { Kysely } from 'kysely'
import { getAddress } from 'viem'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'
import { registryId } from './seal-notes.ts'
import { answered as answeredBy, type Store } from './store.ts'

/** A profile, the only one of its account; its texts are empty when the account took it back. */
type ProfileRow = {
  /** The registry that it is for: `<chain id>:<address>`, in lower case. */
  registry: string
  /** In lower case. */
  account: string
  name: string
  sentence: string
  link: string
  /** The time of the signature, in milliseconds since 1970. */
  signedAt: number
  message: string
  signature: Hex
  /** The part that all names have that look the same, and the time since which the account has such a name. */
  skeleton: string
  namedAt: number
  /** The client that brought the first profile of the account. */
  client: string
}

type Db = Kysely<{ profile: ProfileRow }>

const script = `
CREATE TABLE "profile" ("registry" text not null, "account" text not null, "name" text not null,
  "sentence" text not null, "link" text not null, "signedAt" bigint not null,
  "message" text not null, "signature" text not null, "skeleton" text not null,
  "namedAt" bigint not null, "client" text not null,
  constraint "profile_of_account" primary key ("registry", "account"));
CREATE INDEX "profile_name" on "profile" ("registry", "skeleton", "namedAt", "account");
CREATE INDEX "profile_client" on "profile" ("registry", "client");
`

const profileTables: VersionedTables = {
  name: 'The profiles',
  history: 'profile_version',
  steps: [[script]],
}

/** Opens the profiles of a registry in a store. */
export async function sqlProfiles(
  store: Pick<Store, 'db' | 'commit' | 'migrate'>,
  place: Registry,
): Promise<Profiles> {
  await store.migrate(profileTables)
  const db = store.db as unknown as Db
  const registry = registryId(place)
  return {
    put: (profile, request) =>
      answered('put', () =>
        store.commit((trx) => put(trx as unknown as Db, { registry, profile, request })),
      ),
    find: (accounts) =>
      answered('find', async () => {
        const names = accounts.map((it) => it.toLowerCase())
        if (names.length === 0) return []
        return (await marked(db, registry).where('account', 'in', names).execute()).map(markedOf)
      }),
    search: (text, limit) => answered('search', () => search(db, registry, { text, limit })),
    listOld: (query) => answered('listOld', () => listOld(db, registry, query)),
    forget: (of, before) =>
      answered('forget', () =>
        store.commit(async (trx) => {
          await (trx as unknown as Db)
            .deleteFrom('profile')
            .where('registry', '=', registry)
            .where('account', '=', of.toLowerCase())
            .where('signedAt', '<', before)
            .execute()
        }),
      ),
  }
}

type Search = { readonly text: string; readonly limit: number }

async function search(db: Db, registry: string, { text, limit }: Search) {
  // A skeleton has no punctuation, so none of it is a wildcard but for signs.
  const part = skeletonOf(text).replace(/[%_\\]/g, '')
  if (part === '') return []
  // An index has all that is compared and sorted, and is much shorter than the profiles.
  const found = db
    .selectFrom('profile')
    .select('account')
    .where('registry', '=', registry)
    .where('skeleton', 'like', `%${part}%`)
    .orderBy('namedAt')
    .orderBy('account')
    .limit(limit)
  const rows = await marked(db, registry)
    .where('account', 'in', (it) => it.selectFrom(found.as('found')).select('found.account'))
    .orderBy('namedAt')
    .orderBy('account')
    .execute()
  return rows.map(markedOf)
}

async function listOld(db: Db, registry: string, { from, before, limit }: OldProfiles) {
  const old = db
    .selectFrom('profile')
    .select('account')
    .where('registry', '=', registry)
    .where('signedAt', '<', before)
    .orderBy('account')
    .limit(limit)
  const behind = await old.where('account', '>=', from).execute()
  const others = behind.length < limit ? await old.where('account', '<', from).execute() : []
  return [...behind, ...others].slice(0, limit).map((it) => account(getAddress(it.account)))
}

type Put = {
  readonly registry: string
  readonly profile: Profile
  readonly request: Parameters<Profiles['put']>[1]
}

/** Puts a profile, unless the account has one as new; returns the one that counts. */
async function put(db: Db, { registry, profile, request }: Put): Promise<Profile> {
  const all = () => db.selectFrom('profile').where('registry', '=', registry)
  const of = profile.account.toLowerCase()
  const find = () => all().selectAll().where('account', '=', of).executeTakeFirst()
  const known = await find()
  const { client, now, bounds } = request
  if (known === undefined) {
    const count = all().select(({ fn }) => fn.countAll().as('count'))
    const ofClient = await count.where('client', '=', client).executeTakeFirstOrThrow()
    refuse('this client', Number(ofClient.count), bounds.ofClient)
    const inAll = await count.executeTakeFirstOrThrow()
    refuse(everyProfile, Number(inAll.count), bounds.inAll)
  }
  const skeleton = skeletonOf(profile.name)
  const namedAt = known?.skeleton === skeleton ? Number(known.namedAt) : now
  const changed = { ...profile, account: of, skeleton, namedAt }
  await db
    .insertInto('profile')
    .values({ ...changed, registry, client })
    .onConflict((it) =>
      it
        .columns(['registry', 'account'])
        .doUpdateSet(changed)
        .where('profile.signedAt', '<', profile.signedAt),
    )
    .execute()
  const counted = await find()
  return counted === undefined ? profile : profileOf(counted)
}

function refuse(what: string, number: number, limit: number): void {
  if (number >= limit) throw new Failure('profile/too-many', { what, limit })
}

/** Reads profiles, each with the account that took a name first that looks the same. */
const marked = (db: Db, registry: string) =>
  db
    .selectFrom('profile')
    .selectAll()
    .where('registry', '=', registry)
    .where('name', '!=', '')
    .select((eb) =>
      eb
        .selectFrom('profile as other')
        .select('other.account')
        .whereRef('other.registry', '=', 'profile.registry')
        .whereRef('other.skeleton', '=', 'profile.skeleton')
        .orderBy('other.namedAt')
        .orderBy('other.account')
        .limit(1)
        .as('first'),
    )

function markedOf(row: ProfileRow & { readonly first: string | null }): MarkedProfile {
  const { first, ...rest } = row
  const isFirst = first === null || first === row.account
  return isFirst ? profileOf(rest) : { ...profileOf(rest), resembles: account(getAddress(first)) }
}

const profileOf = (row: ProfileRow): Profile => ({
  account: account(getAddress(row.account)),
  name: row.name,
  sentence: row.sentence,
  link: row.link,
  signedAt: instant(Number(row.signedAt)),
  message: row.message,
  signature: row.signature,
})

/** Returns the result of an operation. @throws `profile/unavailable` */
const answered = <T>(operation: string, act: () => Promise<T>): Promise<T> =>
  answeredBy(act, (cause) => new Failure('profile/unavailable', { operation }, { cause }))
