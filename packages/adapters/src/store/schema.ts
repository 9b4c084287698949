import { type Account, type Digest, Failure, type Hash } from '@heirloom/core'
import { type Kysely, sql } from 'kysely'
import type { Hex } from 'viem'
import type { VersionedTables } from '../platform/sql/migrate-tables.ts'
import { grantsOfNames, type NameRow, type NameVersionRow, names } from './names/name-tables.ts'
import { type UpgradeRow, upgrades } from './upgrade-notes.ts'

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

/** The first version of the tables: takes over those without a recorded version. */
const first = [
  `CREATE TABLE IF NOT EXISTS "lane" ("id" text primary key, "nextNonce" bigint not null, "epoch" bigint not null);
CREATE TABLE IF NOT EXISTS "spending" ("lane" text not null, "day" bigint not null, "spent" text not null,
  constraint "spending_day" primary key ("lane", "day"));
CREATE TABLE IF NOT EXISTS "budgetSpending" ("lane" text not null, "day" bigint not null, "name" text not null,
  "spent" text not null, constraint "budget_spending_day" primary key ("lane", "day", "name"));
CREATE TABLE IF NOT EXISTS "job" ("id" text primary key, "lane" text not null, "operation" text not null,
  "to" text not null, "data" text not null, "value" text not null, "key" text, "fingerprint" text,
  "budget" text, "state" text not null, "nonce" bigint, "txHash" text, "outcome" text,
  "acceptedAt" bigint not null, constraint "job_key" unique ("lane", "key"));
CREATE INDEX IF NOT EXISTS "job_state" on "job" ("lane", "state", "acceptedAt");
`,
  { inUse: refuseEarlierVersion },
  `CREATE TABLE IF NOT EXISTS "slot" ("lane" text not null, "nonce" bigint not null, "state" text not null,
  "jobs" text not null, "to" text not null, "data" text not null, "value" text not null,
  "gas" text not null, "reserved" text not null, "day" bigint not null, "signedAt" bigint not null,
  "blockNumber" bigint, "blockHash" text, constraint "slot_nonce" primary key ("lane", "nonce"));
CREATE INDEX IF NOT EXISTS "slot_state" on "slot" ("lane", "state", "nonce");
CREATE TABLE IF NOT EXISTS "attempt" ("hash" text primary key, "lane" text not null, "nonce" bigint not null,
  "raw" text not null, "maxFeePerGas" text not null, "maxPriorityFeePerGas" text not null,
  "cancels" integer not null, "signedAt" bigint not null);
CREATE INDEX IF NOT EXISTS "attempt_slot" on "attempt" ("lane", "nonce");
`,
]

// An earlier program, which was never released, recorded no version either.
async function refuseEarlierVersion(db: Kysely<Database>): Promise<void> {
  const columns = db.selectFrom('job').select('budget').limit(0)
  await columns.execute().catch((cause: unknown) => {
    const problem = 'an earlier version made it; move it away and start with a new one'
    throw new Failure('folder/unusable', { folder: 'The job store', problem }, { cause })
  })
}

const seals = `
CREATE TABLE "seal" ("id" text primary key, "state" text not null, "registry" text not null,
  "creator" text not null, "client" text not null, "proof" text not null, "key" text,
  "body" text not null, "bytes" bigint not null, "contentHash" text, "digest" text, "card" text,
  "recipient" text, "parent" text, "storedAt" bigint not null, "expiresAt" bigint not null,
  constraint "seal_proof" unique ("proof"), constraint "seal_key" unique ("key"));
CREATE INDEX "seal_state" on "seal" ("state", "expiresAt");
CREATE INDEX "seal_digest" on "seal" ("digest");
CREATE INDEX "seal_card" on "seal" ("card");
`

/** Lets the log and the traces of any server lead from a transaction back to its request. */
const requests = `
ALTER TABLE "job" ADD COLUMN "requestId" text;
ALTER TABLE "job" ADD COLUMN "traceparent" text;
`

/**
 * Most jobs are stored once they are signed, and then succeed, so that they enter no index by state. Of
 * slots few are stored.
 */
const unsentIndex = `
DROP INDEX "job_state";
DROP INDEX "slot_state";
CREATE INDEX "job_unsent" ON "job" ("lane", "state", "acceptedAt") WHERE "state" = 'queued' OR "state" = 'failed';
`

/** The versions of the tables. */
export const jobTables: VersionedTables = {
  name: 'The job store',
  history: 'job_version',
  steps: [
    first,
    [seals],
    [requests],
    ...[[names], upgrades, [grantsOfNames], [unsentIndex]].map((adds) => ({ adds })),
  ],
}

/** A state in which jobs are looked for, as a literal: SQLite compares no parameter with an index's condition. */
export const unsentState = <S extends 'queued' | 'failed'>(state: S) => sql.lit(state)
