import { type Account, type Digest, Failure, type Hash } from '@heirloom/core'
import { type Kysely, sql } from 'kysely'
import type { Hex } from 'viem'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'
import { addGrants, createNames, type NameRow, type NameVersionRow } from './names/name-tables.ts'
import { newestTables } from './newest-tables.ts'
import { createUpgrades, type UpgradeRow } from './upgrade-notes.ts'

/** The id of a wallet on a chain: `<chain id>:<genesis hash>:<address>`. */
export type LaneId = string

/** The tables of the store. Amounts are decimal strings, in wei. */
export type Database = {
  lane: {
    id: LaneId
    /** The next nonce: none at or above it was ever signed. */
    nextNonce: number
    /** The fencing token: it grows with each leader, and a commit with an older one is refused. */
    epoch: number
  }
  job: {
    id: string
    lane: LaneId
    operation: string
    to: Hex
    data: Hex
    value: string
    /** The idempotency key, unique in a lane; null after a failure without effect on the chain. */
    key: string | null
    fingerprint: string | null
    /** The budget it counts against (name and limits), as JSON. */
    budget: string | null
    state: JobState
    /** The slot that carries the job, once it is signed. */
    nonce: number | null
    txHash: Hex | null
    /** The outcome of the write, or its failure, as JSON. */
    outcome: string | null
    /** Milliseconds since 1970. */
    acceptedAt: number
    /** The id of the request that it came from; null where no request is known. */
    requestId: string | null
    /** The W3C trace context of that request; null where nobody traces it. */
    traceparent: string | null
  }
  slot: {
    lane: LaneId
    nonce: number
    state: SlotState
    /** The ids of its jobs, in their order in the transaction, as JSON; empty if it fills a gap. */
    jobs: string
    to: Hex
    data: Hex
    value: string
    gas: string
    /** The amount counted against the day's limit: the maximum cost, then the actual cost. */
    reserved: string
    /** The day (UTC) it is counted on, in days since 1970. */
    day: number
    /** Milliseconds since 1970. */
    signedAt: number
    blockNumber: number | null
    blockHash: Hex | null
  }
  attempt: {
    hash: Hex
    lane: LaneId
    nonce: number
    raw: Hex
    maxFeePerGas: string
    maxPriorityFeePerGas: string
    /** 1 for an empty transfer that replaces the other attempts. */
    cancels: 0 | 1
    signedAt: number
  }
  spending: { lane: LaneId; day: number; spent: string }
  /** The same for each budget; what `unknownSpender` spent counts against each of them. */
  budgetSpending: { lane: LaneId; day: number; name: string; spent: string }
  /** The memories that were sealed for wallets that mint themselves. */
  seal: SealRow
  /** The private names of lines of versions. */
  memoryName: NameRow
  /** The versions of names, and the saves that may become one. */
  nameVersion: NameVersionRow
  /** The upgrades of tables that were in use. */
  upgrade: UpgradeRow
}

/**
 * The name of what the jobs do not know but the wallet paid. No budget has it: the names of API keys
 * have no space, and those of relayed acts begin with `relay `.
 */
export const unknownSpender = 'unknown transactions'

/** A memory that was sealed for a creator. A member is null until its blobs are stored. */
export type SealRow = {
  id: string
  state: SealState
  /** The registry that it was sealed for: `<chain id>:<address>`, in lower case. */
  registry: string
  creator: Account
  /** The client that asked for it, while it counts against the client's bounds; then empty. */
  client: string
  /** The sha256 of what was proven: registry, creator, time and body. Each proof seals once. */
  proof: string
  /** The sha256 of creator and idempotency key. */
  key: string | null
  /** The sha256 of the body, in hexadecimal. */
  body: string
  /** The bytes of its blobs. */
  bytes: number
  contentHash: Hash | null
  digest: Digest | null
  card: Digest | null
  recipient: Account | null
  parent: string | null
  /** Milliseconds since 1970. */
  storedAt: number
  /** When its creator must have minted it, in milliseconds since 1970. */
  expiresAt: number
}

/**
 * `storing` has no blobs yet, or never got them; `unminted` waits for its mint, `minted` has a token;
 * the blobs of `expired` are removed.
 */
export type SealState = 'storing' | 'unminted' | 'minted' | 'expired'

/** `queued` has no nonce yet; `sent` is signed; `failed` was refused, cancelled or reverted. */
export type JobState = 'queued' | 'sent' | 'done' | 'failed'

/**
 * `open` is in no known block; `mined` lacks confirmations; `settled` is confirmed, and its jobs
 * ended; the nonce of `lost` was used by a transaction that is not ours.
 */
export type SlotState = 'open' | 'mined' | 'settled' | 'lost'

// Takes over tables without a recorded version, unless a program that was never released made them.
async function createTables(db: Kysely<Database>): Promise<void> {
  await createLanes(db)
  await createJobs(db)
  await refuseEarlierVersion(db)
  await createSlots(db)
  await createAttempts(db)
}

/** The versions of the tables. */
export const jobTables: VersionedTables = {
  name: 'The job store',
  history: 'job_version',
  steps: [
    createTables,
    createSeals,
    addRequests,
    ...[createNames, createUpgrades, addGrants, indexUnsent].map((adds) => ({ adds })),
  ],
  newest: newestTables,
}

async function createLanes({ schema }: Kysely<Database>): Promise<void> {
  await schema
    .createTable('lane')
    .ifNotExists()
    .addColumn('id', 'text', (it) => it.primaryKey())
    .addColumn('nextNonce', 'bigint', (it) => it.notNull())
    .addColumn('epoch', 'bigint', (it) => it.notNull())
    .execute()
  await schema
    .createTable('spending')
    .ifNotExists()
    .addColumn('lane', 'text', (it) => it.notNull())
    .addColumn('day', 'bigint', (it) => it.notNull())
    .addColumn('spent', 'text', (it) => it.notNull())
    .addPrimaryKeyConstraint('spending_day', ['lane', 'day'])
    .execute()
  await schema
    .createTable('budgetSpending')
    .ifNotExists()
    .addColumn('lane', 'text', (it) => it.notNull())
    .addColumn('day', 'bigint', (it) => it.notNull())
    .addColumn('name', 'text', (it) => it.notNull())
    .addColumn('spent', 'text', (it) => it.notNull())
    .addPrimaryKeyConstraint('budget_spending_day', ['lane', 'day', 'name'])
    .execute()
}

async function createJobs({ schema }: Kysely<Database>): Promise<void> {
  await schema
    .createTable('job')
    .ifNotExists()
    .addColumn('id', 'text', (it) => it.primaryKey())
    .addColumn('lane', 'text', (it) => it.notNull())
    .addColumn('operation', 'text', (it) => it.notNull())
    .addColumn('to', 'text', (it) => it.notNull())
    .addColumn('data', 'text', (it) => it.notNull())
    .addColumn('value', 'text', (it) => it.notNull())
    .addColumn('key', 'text')
    .addColumn('fingerprint', 'text')
    .addColumn('budget', 'text')
    .addColumn('state', 'text', (it) => it.notNull())
    .addColumn('nonce', 'bigint')
    .addColumn('txHash', 'text')
    .addColumn('outcome', 'text')
    .addColumn('acceptedAt', 'bigint', (it) => it.notNull())
    .addUniqueConstraint('job_key', ['lane', 'key'])
    .execute()
  const index = schema.createIndex('job_state').ifNotExists().on('job')
  await index.columns(['lane', 'state', 'acceptedAt']).execute()
}

async function refuseEarlierVersion(db: Kysely<Database>): Promise<void> {
  const columns = db.selectFrom('job').select('budget').limit(0)
  await columns.execute().catch((cause: unknown) => {
    const problem = 'an earlier version made it; move it away and start with a new one'
    throw new Failure('folder/unusable', { folder: 'The job store', problem }, { cause })
  })
}

async function createSlots({ schema }: Kysely<Database>): Promise<void> {
  await schema
    .createTable('slot')
    .ifNotExists()
    .addColumn('lane', 'text', (it) => it.notNull())
    .addColumn('nonce', 'bigint', (it) => it.notNull())
    .addColumn('state', 'text', (it) => it.notNull())
    .addColumn('jobs', 'text', (it) => it.notNull())
    .addColumn('to', 'text', (it) => it.notNull())
    .addColumn('data', 'text', (it) => it.notNull())
    .addColumn('value', 'text', (it) => it.notNull())
    .addColumn('gas', 'text', (it) => it.notNull())
    .addColumn('reserved', 'text', (it) => it.notNull())
    .addColumn('day', 'bigint', (it) => it.notNull())
    .addColumn('signedAt', 'bigint', (it) => it.notNull())
    .addColumn('blockNumber', 'bigint')
    .addColumn('blockHash', 'text')
    .addPrimaryKeyConstraint('slot_nonce', ['lane', 'nonce'])
    .execute()
  const index = schema.createIndex('slot_state').ifNotExists().on('slot')
  await index.columns(['lane', 'state', 'nonce']).execute()
}

async function createAttempts({ schema }: Kysely<Database>): Promise<void> {
  await schema
    .createTable('attempt')
    .ifNotExists()
    .addColumn('hash', 'text', (it) => it.primaryKey())
    .addColumn('lane', 'text', (it) => it.notNull())
    .addColumn('nonce', 'bigint', (it) => it.notNull())
    .addColumn('raw', 'text', (it) => it.notNull())
    .addColumn('maxFeePerGas', 'text', (it) => it.notNull())
    .addColumn('maxPriorityFeePerGas', 'text', (it) => it.notNull())
    .addColumn('cancels', 'integer', (it) => it.notNull())
    .addColumn('signedAt', 'bigint', (it) => it.notNull())
    .execute()
  const index = schema.createIndex('attempt_slot').ifNotExists().on('attempt')
  await index.columns(['lane', 'nonce']).execute()
}

async function createSeals({ schema }: Kysely<Database>): Promise<void> {
  await schema
    .createTable('seal')
    .addColumn('id', 'text', (it) => it.primaryKey())
    .addColumn('state', 'text', (it) => it.notNull())
    .addColumn('registry', 'text', (it) => it.notNull())
    .addColumn('creator', 'text', (it) => it.notNull())
    .addColumn('client', 'text', (it) => it.notNull())
    .addColumn('proof', 'text', (it) => it.notNull())
    .addColumn('key', 'text')
    .addColumn('body', 'text', (it) => it.notNull())
    .addColumn('bytes', 'bigint', (it) => it.notNull())
    .addColumn('contentHash', 'text')
    .addColumn('digest', 'text')
    .addColumn('card', 'text')
    .addColumn('recipient', 'text')
    .addColumn('parent', 'text')
    .addColumn('storedAt', 'bigint', (it) => it.notNull())
    .addColumn('expiresAt', 'bigint', (it) => it.notNull())
    .addUniqueConstraint('seal_proof', ['proof'])
    .addUniqueConstraint('seal_key', ['key'])
    .execute()
  await schema.createIndex('seal_state').on('seal').columns(['state', 'expiresAt']).execute()
  await schema.createIndex('seal_digest').on('seal').column('digest').execute()
  await schema.createIndex('seal_card').on('seal').column('card').execute()
}

// Lets the log and the traces of any server lead from a transaction back to its request.
async function addRequests({ schema }: Kysely<Database>): Promise<void> {
  await schema.alterTable('job').addColumn('requestId', 'text').execute()
  await schema.alterTable('job').addColumn('traceparent', 'text').execute()
}

/** A state in which jobs are looked for, as a literal: SQLite compares no parameter with an index's condition. */
export const unsentState = <S extends 'queued' | 'failed'>(state: S) => sql.lit(state)

// Most jobs are stored once they are signed, and then succeed, so that they enter no index by state. Of
// slots few are stored.
async function indexUnsent(db: Kysely<Database>): Promise<void> {
  for (const index of ['job_state', 'slot_state']) await db.schema.dropIndex(index).execute()
  await sql`CREATE INDEX "job_unsent" ON "job" ("lane", "state", "acceptedAt")
    WHERE "state" = 'queued' OR "state" = 'failed'`.execute(db)
}
