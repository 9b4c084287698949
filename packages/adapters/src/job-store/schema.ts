import { Failure } from '@heirloom/core'
import type { Kysely } from 'kysely'
import type { Hex } from 'viem'

/** A wallet on a chain, `<chain id>:<genesis hash>:<address>`. */
export type LaneId = string

/** The tables that every write of a wallet goes through. Amounts are decimal texts, in wei. */
export type Database = {
  lane: {
    id: LaneId
    /** No nonce at or above it was ever signed. */
    nextNonce: number
    /** Grows with each leader; a commit under an older one is refused. */
    epoch: number
  }
  job: {
    id: string
    lane: LaneId
    operation: string
    to: Hex
    data: Hex
    value: string
    /** Unique in a lane; absent once the write failed without an effect on the chain. */
    key: string | null
    fingerprint: string | null
    /** In whose name it was asked for, and what may be spent in it, as JSON. */
    budget: string | null
    state: JobState
    /** The slot that carries the job, once it is signed. */
    nonce: number | null
    txHash: Hex | null
    /** What the write gave, or its failure, as JSON. */
    outcome: string | null
    /** Milliseconds since 1970. */
    acceptedAt: number
  }
  slot: {
    lane: LaneId
    nonce: number
    state: SlotState
    /** The jobs it carries, in their order in the transaction, as a JSON list; none to fill a gap. */
    jobs: string
    to: Hex
    data: Hex
    value: string
    gas: string
    /** What the day's budget holds for it: the most it may cost, and what it did cost once settled. */
    reserved: string
    /** The day of that budget, in days since 1970. */
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
    /** 1 when it does nothing but take the place of the others. */
    cancels: 0 | 1
    signedAt: number
  }
  spending: { lane: LaneId; day: number; spent: string }
  /** The same for each name that jobs were asked for in. */
  budgetSpending: { lane: LaneId; day: number; name: string; spent: string }
}

/** `queued` has no nonce yet, `sent` has signed bytes; `failed` had no effect, or a reverted one. */
export type JobState = 'queued' | 'sent' | 'done' | 'failed'

/**
 * `open` is not seen mined; `mined` lacks confirmations; `settled` has told its jobs; `lost` gave
 * its nonce to a transaction that is not ours.
 */
export type SlotState = 'open' | 'mined' | 'settled' | 'lost'

/**
 * Makes the tables where they are missing.
 *
 * @throws `folder/unusable` where an earlier version, which was never released, made them
 */
export async function createTables(db: Kysely<Database>): Promise<void> {
  await createLanes(db)
  await createJobs(db)
  await refuseEarlier(db)
  await createSlots(db)
  await createAttempts(db)
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

async function refuseEarlier(db: Kysely<Database>): Promise<void> {
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
