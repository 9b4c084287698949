import type { Digest } from '@heirloom/core'
import { type Kysely, sql } from 'kysely'
import type { Hex } from 'viem'
import { hasRow, readValues } from '../platform/sql/inspect-file.ts'
import { type Database, type JobState, type LaneId, unknownSpender, unsentState } from './schema.ts'
import { spentInNames, spentOn, writeSpent, writeSpentInName } from './spending.ts'
import type { Store } from './store.ts'

type Jobs = Pick<Store, 'db'>

/**
 * Reports whether a job carries a digest in its call data. One that failed counts if it was signed: the
 * chain has not said yet that it minted nothing.
 */
export async function hasJobFor({ db }: Jobs, digest: Digest): Promise<boolean> {
  const job = await db
    .selectFrom('job')
    .select('id')
    .where('data', 'like', `0x%${digest.slice(2)}%`)
    .where((it) => it.or([it('state', '!=', 'failed'), it('nonce', 'is not', null)]))
    .executeTakeFirst()
  return job !== undefined
}

/** Returns whether there is no job and no seal, as after the loss of the store. */
export async function isStoreEmpty({ db }: Jobs): Promise<boolean> {
  const [job, seal] = await Promise.all([
    db.selectFrom('job').select('id').limit(1).executeTakeFirst(),
    db.selectFrom('seal').select('id').limit(1).executeTakeFirst(),
  ])
  return job === undefined && seal === undefined
}

/** Returns the words in the call data of all mints that were signed: the digests of their blobs are among them. */
export async function wordsOfMints({ db }: Jobs): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('job')
    .select(['operation', 'data'])
    .where('operation', 'in', ['mint', 'digests'])
    .where((it) => it.or([it('nonce', 'is not', null), it('operation', '=', 'digests')]))
    .execute()
  const words = new Set<string>()
  for (const { operation, data } of rows) {
    // Call data begins with a selector.
    for (let at = operation === 'mint' ? 10 : 2; at < data.length; at += 64) {
      words.add(`0x${data.slice(at, at + 64)}`)
    }
  }
  return words
}

/** Returns the number of jobs in each state, without those that were pruned. */
export async function countJobs({ db }: Jobs): Promise<Readonly<Record<JobState, number>>> {
  const rows = await db
    .selectFrom('job')
    .select((it) => ['state', it.fn.countAll().as('jobs')])
    .where('operation', '!=', 'digests')
    .groupBy('state')
    .execute()
  const counts = Object.fromEntries(rows.map(({ state, jobs }) => [state, Number(jobs)]))
  return { queued: 0, sent: 0, done: 0, failed: 0, ...counts }
}

/**
 * Returns the jobs that were signed before a time, in milliseconds since 1970, and are not settled:
 * the transaction hash of each, or its id.
 */
export async function findStuckJobs({ db }: Jobs, before: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('job')
    .innerJoin('slot', (join) =>
      join.onRef('slot.lane', '=', 'job.lane').onRef('slot.nonce', '=', 'job.nonce'),
    )
    .select(['job.id', 'job.txHash'])
    .where('job.state', '=', 'sent')
    .where('slot.signedAt', '<', before)
    .execute()
  return rows.map(({ id, txHash }) => txHash ?? id)
}

/** The jobs that are read at once. */
const batchSize = 500

/**
 * Yields the call data of the settlements that failed since a time, in milliseconds since 1970, the
 * oldest first: what paid them may be at the addresses of their orders.
 */
export async function* failedSettlements({ db }: Jobs, since: number): AsyncGenerator<Hex> {
  let [at, last] = [since, '']
  for (;;) {
    const [time, id] = [at, last]
    const rows = await db
      .selectFrom('job')
      .select(['id', 'data', 'acceptedAt'])
      .where('state', '=', unsentState('failed'))
      .where('operation', '=', 'settle')
      .where(({ or, and, eb }) =>
        or([eb('acceptedAt', '>', time), and([eb('acceptedAt', '=', time), eb('id', '>', id)])]),
      )
      .orderBy('acceptedAt')
      .orderBy('id')
      .limit(batchSize)
      .execute()
    for (const { data } of rows) yield data
    const end = rows.at(-1)
    if (end === undefined || rows.length < batchSize) return
    ;[at, last] = [Number(end.acceptedAt), end.id]
  }
}

/** A mint that was signed and failed, as far as one receipt said. */
export type FailedMint = {
  readonly id: string
  readonly lane: LaneId
  readonly nonce: number
  readonly to: Hex
  readonly data: Hex
  /** Milliseconds since 1970. */
  readonly acceptedAt: number
}

/** Returns the mints that were signed, failed, and were accepted before a time, the oldest first. */
export async function failedMints({ db }: Jobs, before: number): Promise<readonly FailedMint[]> {
  const rows = await db
    .selectFrom('job')
    .select(['id', 'lane', 'nonce', 'to', 'data', 'acceptedAt'])
    .where('state', '=', unsentState('failed'))
    .where('operation', '=', 'mint')
    .where('nonce', 'is not', null)
    .where('data', '!=', '0x')
    .where('acceptedAt', '<', before)
    .orderBy('acceptedAt')
    .limit(batchSize)
    .execute()
  return rows.map(({ nonce, acceptedAt, ...row }) => ({
    ...row,
    nonce: Number(nonce),
    acceptedAt: Number(acceptedAt),
  }))
}

/** The mints of a digest on a lane, but for some jobs. */
export type OtherMints = {
  readonly lane: LaneId
  readonly digest: Hex
  readonly except: readonly string[]
}

/** Returns the tokens that mints made, as far as their jobs are stored. */
export async function tokensOfMints(
  { db }: Jobs,
  { lane, digest, except }: OtherMints,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('job')
    .select('outcome')
    .where('lane', '=', lane)
    .where('operation', '=', 'mint')
    .where('state', '=', 'done')
    .where('data', 'like', `0x%${digest.slice(2)}%`)
    .where('id', 'not in', except)
    .execute()
  return new Set(rows.map(({ outcome }) => JSON.parse(outcome ?? '{}').tokenId))
}

/** Notes that a mint that had failed is on the chain: from now on it has succeeded. */
export async function reviveMint(
  { db }: Jobs,
  { id, acceptedAt }: FailedMint,
  tokenId: bigint,
): Promise<void> {
  const outcome = JSON.stringify({ acceptedAt, tokenId: String(tokenId) })
  await db.updateTable('job').set({ state: 'done', outcome }).where('id', '=', id).execute()
}

/** Notes that a mint that had failed left nothing; one without a key goes. */
export async function buryMint({ db }: Jobs, { id }: FailedMint): Promise<void> {
  const failed = db.deleteFrom('job').where('id', '=', id).where('key', 'is', null)
  await failed.execute()
  await db.updateTable('job').set({ data: '0x' }).where('id', '=', id).execute()
}

/** Returns the call data of the settlements that are under way, of this process or another. */
export async function unfinishedSettlements({ db }: Jobs): Promise<readonly Hex[]> {
  const rows = await db
    .selectFrom('job')
    .select('data')
    .where('state', 'in', ['queued', 'sent'])
    .where('operation', '=', 'settle')
    .execute()
  return rows.map(({ data }) => data)
}

/** Returns the number of jobs of a wallet, on any chain, that have not ended. */
export async function countUnfinished({ db }: Jobs, wallet: Hex): Promise<number> {
  const { jobs } = await db
    .selectFrom('job')
    .select((it) => it.fn.countAll().as('jobs'))
    .where('lane', 'like', `%:${wallet.toLowerCase()}`)
    .where('state', 'in', ['queued', 'sent'])
    .executeTakeFirstOrThrow()
  return Number(jobs)
}

/**
 * Returns a check whether a shared store has lost the newest finished job with a key that the check saw
 * in it, as where an older copy of the database was put back under a running server. Such a job is never
 * pruned.
 */
export function forgottenJobs({ db, isShared }: Pick<Store, 'db' | 'isShared'>) {
  let newest: string | undefined
  return async (): Promise<boolean> => {
    if (!isShared) return false
    const jobs = db.selectFrom('job').select('id')
    const seen = newest && (await jobs.where('id', '=', newest).executeTakeFirst())
    if (newest !== undefined && seen === undefined) return true
    const answered = jobs.where('state', '=', 'done').where('key', 'is not', null)
    newest = (await answered.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id
    return false
  }
}

/** Resolves once the database of the jobs could be written. */
export async function pingStore({
  db,
  isShared,
  commit,
}: Pick<Store, 'db' | 'isShared' | 'commit'>): Promise<void> {
  // A commit to a shared database whose end is unknown would end leases.
  if (isShared) await db.transaction().execute(lockForWrites)
  else await commit((trx) => trx.selectNoFrom((it) => it.lit(1).as('one')).execute(), 'lazily')
}

/** Waits, in PostgreSQL, for the right to write to the tables of every write; changes nothing. */
async function lockForWrites(trx: Kysely<Database>): Promise<void> {
  await sql`LOCK TABLE lane, job, slot IN ROW EXCLUSIVE MODE`.execute(trx)
  // A transaction that may only read gets the locks all the same.
  await sql`UPDATE lane SET id = id WHERE false`.execute(trx)
  // Rows that fit into old pages are stored on a full disk too; this needs new ones, for a moment.
  await sql`SET LOCAL work_mem = 64`.execute(trx)
  await sql`SELECT count(*) FROM generate_series(1, 3000)`.execute(trx)
}

/**
 * Reports whether the file of a store that no process has open holds a job. A file that cannot
 * be read counts as empty.
 */
export const hasStoredJobs = (path: string): boolean => hasRow(path, 'job') ?? false

/**
 * Returns the ids of all lanes in the file of a store that no process has open; none when it
 * cannot be read.
 */
export const storedLanes = (path: string): readonly LaneId[] =>
  readValues(path, 'SELECT id AS value FROM lane')

/** A block that holds a transaction of a lane. */
export type LaneBlock = { readonly number: number; readonly hash: string }

/**
 * Returns the block of the last settled transaction of the lanes of a chain, from the file of a job
 * store that no process has open; `undefined` when there is none, or it cannot be read.
 */
export function storedLastBlock(path: string, genesis: string): LaneBlock | undefined {
  const ofChain = storedLanes(path).filter((id) => id.includes(`:${genesis}:`))
  const blocks = ofChain.flatMap((lane) => {
    const [text] = readValues(
      path,
      `SELECT "blockNumber" || ' ' || "blockHash" AS value FROM slot
        WHERE lane = '${lane}' AND state = 'settled' ORDER BY nonce DESC LIMIT 1`,
    )
    const [number, hash = ''] = text?.split(' ') ?? []
    return number === undefined ? [] : [{ number: Number(number), hash }]
  })
  return blocks.toSorted((one, other) => other.number - one.number)[0]
}

/** Returns the next nonce of a lane that has signed something; `undefined` if it has not. */
export async function nextNonceOf({ db }: Jobs, lane: LaneId): Promise<number | undefined> {
  const row = await db
    .selectFrom('lane')
    .select('nextNonce')
    .where('id', '=', lane)
    .where('nextNonce', '>', 0)
    .executeTakeFirst()
  return row?.nextNonce
}

/** A settled transaction: the block that the jobs saw it in, and the hashes that it was signed with. */
export type SettledTransaction = LaneBlock & { readonly hashes: readonly Hex[] }

/** Returns the last settled transaction of a lane; `undefined` when there is none. */
export async function lastSettled(
  { db }: Jobs,
  lane: LaneId,
): Promise<SettledTransaction | undefined> {
  const row = await db
    .selectFrom('slot')
    .select(['nonce', 'blockNumber', 'blockHash'])
    .where('lane', '=', lane)
    .where('state', '=', 'settled')
    .orderBy('nonce', 'desc')
    .executeTakeFirst()
  if (row?.blockNumber == null || row.blockHash === null) return undefined
  const attempts = await db
    .selectFrom('attempt')
    .select('hash')
    .where('lane', '=', lane)
    .where('nonce', '=', row.nonce)
    .execute()
  const hashes = attempts.map(({ hash }) => hash)
  return { number: row.blockNumber, hash: row.blockHash, hashes }
}

/** Transactions of a wallet that its jobs do not know. */
export type UnknownTransactions = {
  readonly lane: LaneId
  /** The nonces from the first of them to the one after the last. */
  readonly known: number
  readonly next: number
  /** Their cost on a day, in days since 1970 and in wei. */
  readonly day: number
  readonly spent: bigint
}

/**
 * Notes that nonces were used without jobs, and adds what that cost to the spending of the day: that
 * of the wallet, and that of every budget, since nobody knows any more in whose name it was spent.
 */
export async function adoptTransactions(
  { commit }: Pick<Store, 'commit'>,
  { lane, known, next, day, spent }: UnknownTransactions,
): Promise<void> {
  await commit(async (trx) => {
    await trx
      .insertInto('lane')
      .values({ id: lane, nextNonce: 0, epoch: 0 })
      .onConflict((it) => it.column('id').doNothing())
      .execute()
    const adopted = await trx
      .updateTable('lane')
      .set({ nextNonce: next })
      .where('id', '=', lane)
      .where('nextNonce', '=', known)
      .executeTakeFirst()
    if (Number(adopted.numUpdatedRows) !== 1 || spent === 0n) return
    const of = { lane, day, name: unknownSpender }
    await writeSpent(trx, of, (await spentOn(trx, of)) + spent)
    const spentBy = await spentInNames(trx, of, [unknownSpender])
    await writeSpentInName(trx, of, spentBy(unknownSpender) + spent)
  })
}
