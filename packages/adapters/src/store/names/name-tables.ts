import type { Account, Digest, Hash, Hex } from '@heirloom/core'
import type { Kysely } from 'kysely'

/** A private name. */
export type NameRow = {
  id: string
  /** The registry of its tokens: `<chain id>:<address>`, in lower case. */
  registry: string
  /** An API key, a tenant, an account or the operator. */
  owner: string
  name: string
  /** The number of its last version; 0 before the first. */
  version: number
  /** The save that holds it; null while there is none. */
  hold: string | null
}

/** A version of a name, or a save that may become one. */
export type NameVersionRow = {
  /** The id of the hold. */
  id: string
  /** The id of its name. */
  name: string
  state: NameVersionState
  /** The process that holds the name; it gives the hold up when it ends before the mint begins. */
  holder: string
  /** Milliseconds since 1970. */
  heldAt: number
  /** Null until it is saved. */
  version: number | null
  tokenId: string | null
  txHash: Hex | null
  /** The pair that the mint records, noted before it begins. */
  contentHash: Hash | null
  digest: Digest | null
  creator: Account | null
  recipient: Account | null
  documentBytes: number | null
  storedBytes: number | null
  savedBy: string
  /** Milliseconds since 1970. */
  savedAt: number | null
  /** The sha256 of registry, owner and idempotency key. */
  key: string | null
  fingerprint: string | null
  /** The job that mints it. */
  job: string | null
  /** The seal that its wallet mints. */
  seal: string | null
  /** The grant by which it is saved; null for a save of the owner. */
  grantId: string | null
}

/**
 * `held` begins no mint until its job is stored; `minting` is decided by its job, `sealed` by the mint
 * of its seal; `saved` is a version; the token of `refused` is none, because its grant had ended.
 */
export type NameVersionState = 'held' | 'minting' | 'sealed' | 'saved' | 'refused'

/** Creates the tables of names. */
export async function createNames({ schema }: Pick<Kysely<unknown>, 'schema'>): Promise<void> {
  await schema
    .createTable('memoryName')
    .addColumn('id', 'text', (it) => it.primaryKey())
    .addColumn('registry', 'text', (it) => it.notNull())
    .addColumn('owner', 'text', (it) => it.notNull())
    .addColumn('name', 'text', (it) => it.notNull())
    .addColumn('version', 'bigint', (it) => it.notNull())
    .addColumn('hold', 'text')
    .addUniqueConstraint('name_text', ['registry', 'owner', 'name'])
    .execute()
  await schema
    .createTable('nameVersion')
    .addColumn('id', 'text', (it) => it.primaryKey())
    .addColumn('name', 'text', (it) => it.notNull())
    .addColumn('state', 'text', (it) => it.notNull())
    .addColumn('holder', 'text', (it) => it.notNull())
    .addColumn('heldAt', 'bigint', (it) => it.notNull())
    .addColumn('version', 'bigint')
    .addColumn('tokenId', 'text')
    .addColumn('txHash', 'text')
    .addColumn('contentHash', 'text')
    .addColumn('digest', 'text')
    .addColumn('creator', 'text')
    .addColumn('recipient', 'text')
    .addColumn('documentBytes', 'bigint')
    .addColumn('storedBytes', 'bigint')
    .addColumn('savedBy', 'text', (it) => it.notNull())
    .addColumn('savedAt', 'bigint')
    .addColumn('key', 'text')
    .addColumn('fingerprint', 'text')
    .addColumn('job', 'text')
    .addColumn('seal', 'text')
    .addUniqueConstraint('name_version_key', ['key'])
    .execute()
  const index = schema.createIndex('name_version').on('nameVersion')
  await index.columns(['name', 'version']).execute()
}

/** Adds the grants by which versions are saved. */
export async function addGrants({ schema }: Pick<Kysely<unknown>, 'schema'>): Promise<void> {
  await schema.alterTable('nameVersion').addColumn('grantId', 'text').execute()
}
