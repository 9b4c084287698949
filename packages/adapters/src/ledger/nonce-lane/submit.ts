import { type Failure, isFailure } from '@heirloom/core'
import { ask } from '../connection.ts'
import { refuseShort, withMargin } from '../send-once.ts'
import { refuseBeyondBudget } from './key-budgets.ts'
import type { Crew } from './lane-context.ts'
import { batchLimit, type Call, callOf } from './job.ts'
import { endToRow, type JobRow } from './job-row.ts'
import {
  addSlot,
  costliest,
  type Pricing,
  type Slot,
  sendNewest,
  sign,
  writeAttempt,
} from './slots.ts'
import { dayOf, refuseDearCall, spend } from './spend-limit.ts'
import { fence, takeNonce } from '../../job-store/job-store.ts'
import type { Watch } from './confirmer.ts'

/** The most that a mint waits for others to share a transaction, in milliseconds. */
const longestGathering = 250

/** The jobs that go into the next transaction, or how long until some may, in milliseconds. */
export type Group = { readonly rows: readonly JobRow[]; readonly wait?: number | undefined }

type Choosing = Pick<Crew, 'store' | 'lane' | 'now' | 'patience' | 'window'>
type Seen = Pick<Watch, 'open' | 'usualTime' | 'answered'>

/** Returns the jobs that go into the next transaction; none when nothing can go now. */
export async function nextGroup(crew: Choosing, watch: Seen): Promise<Group> {
  if (watch.open().length >= crew.window) return { rows: [] }
  const rows = await crew.store.db
    .selectFrom('job')
    .selectAll()
    .where('lane', '=', crew.lane)
    .where('state', '=', 'queued')
    .orderBy('acceptedAt')
    .orderBy('id')
    .limit(2 * batchLimit)
    .execute()
  const fresh = rows.filter(({ acceptedAt }) => acceptedAt > crew.now() - crew.patience)
  if (fresh.length < rows.length) await forget(crew, rows)
  const mints = fresh.filter(({ operation }) => operation === 'mint').slice(0, batchLimit)
  const other = fresh.find(({ operation }) => operation !== 'mint')
  const others = other === undefined ? [] : [other]
  const [mint] = mints
  if (mint === undefined) return { rows: others }
  const wait = gathering(crew, watch, mints) - age(crew.now(), mint.acceptedAt)
  if (wait > 0) return { rows: others, wait }
  if (other !== undefined && other.acceptedAt < mint.acceptedAt) return { rows: others }
  return { rows: mints }
}

/** Returns how long ago something was. A clock that was put back says nothing, so it is long over. */
const age = (now: number, at: number): number => (now < at ? Number.POSITIVE_INFINITY : now - at)

/** Returns how long mints should wait for more, in milliseconds: never longer than pays. */
function gathering({ now }: Choosing, watch: Seen, mints: readonly JobRow[]): number {
  if (mints.length === batchLimit) return 0
  if (watch.open().length > 0) return Math.min(watch.usualTime() / 4, longestGathering)
  // On an idle lane only those who were answered together a moment ago are waited for.
  const { jobs, waited, at } = watch.answered()
  if (mints.length >= jobs || age(now(), at) > waited) return 0
  return Math.min(waited / 2, longestGathering)
}

/** Nobody waits any more for a job of a caller that is gone, so it must not spend anything. */
async function forget({ store, lane, now, patience }: Choosing, rows: readonly JobRow[]) {
  await store.db
    .deleteFrom('job')
    .where('lane', '=', lane)
    .where('state', '=', 'queued')
    .where('acceptedAt', '<=', now() - patience)
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
}

/**
 * Tries the jobs out, signs one transaction for all of them, makes it durable and sends it. Jobs
 * that cannot go together are tried in halves, so that one that is refused takes no other along.
 */
export async function launch(crew: Crew, watch: Watch, rows: readonly JobRow[]): Promise<void> {
  const call = callOf(rows.map(({ to, data, value }) => ({ to, data, value: BigInt(value) })))
  let sent: Slot
  try {
    const priced = await price(crew, call, watch.reserved())
    const share = costliest(call.value, priced) / BigInt(rows.length)
    refuseDearCall(crew.limits, share)
    refuseBeyondBudget(rows, share)
    const slot = await commit(crew, { rows, call, priced })
    watch.add(slot)
    const waited = crew.now() - Math.min(...rows.map(({ acceptedAt }) => acceptedAt))
    crew.observe({ kind: 'signed', jobs: rows.length, waited })
    await sendNewest(crew, slot)
    sent = slot
  } catch (error) {
    if (error instanceof Withdrawn) return
    if (!isFailure(error) || isPassing(crew, rows, error)) throw error
    return launchApart(crew, watch, { rows, failure: error })
  }
  await watch.look(sent)
}

async function launchApart(
  crew: Crew,
  watch: Watch,
  { rows, failure }: { readonly rows: readonly JobRow[]; readonly failure: Failure },
): Promise<void> {
  if (rows.length === 1 || failure.code === 'ledger/unavailable') {
    return refuse(crew, rows, failure)
  }
  const half = Math.ceil(rows.length / 2)
  await launch(crew, watch, rows.slice(0, half))
  await launch(crew, watch, rows.slice(half))
}

/** Tells whether a chain that does not answer now may answer before the callers lose patience. */
function isPassing({ now, outage }: Crew, rows: readonly JobRow[], { code }: Failure): boolean {
  const youngest = Math.max(...rows.map(({ acceptedAt }) => acceptedAt))
  return code === 'ledger/unavailable' && now() - youngest < outage
}

/** Thrown when the caller of a job stopped waiting just before it was signed. */
class Withdrawn extends Error {}

type Priced = Pricing & { readonly pending: number }

/**
 * Tries a call out on the state that follows all that was sent, and prices it.
 *
 * @throws the failure that a revert names, `wallet/short`, `ledger/unavailable`
 */
async function price(
  { client, wallet: { address } }: Crew,
  call: Call,
  reserved: bigint,
): Promise<Priced> {
  const asked = ask('eth_estimateGas', () =>
    Promise.all([
      client.estimateGas({ ...call, account: address, blockTag: 'pending', prepare: false }),
      client.estimateFeesPerGas(),
      client.getTransactionCount({ address, blockTag: 'pending' }),
    ]),
  )
  // Both are under way at once; a wallet that is too short is told before anything else.
  asked.catch(() => undefined)
  const held = await ask('eth_getBalance', () => client.getBalance({ address }))
  const balance = held > reserved ? held - reserved : 0n
  refuseShort(address, balance, call.value)
  const [estimate, fees, pending] = await asked
  const priced = { ...fees, gas: withMargin(estimate), pending }
  refuseShort(address, balance, costliest(call.value, priced))
  return priced
}

/** Commits the nonce, the signed bytes, the state of the jobs and what they may cost, all or nothing. */
async function commit(
  crew: Crew,
  { rows, call, priced }: { rows: readonly JobRow[]; call: Call; priced: Priced },
): Promise<Slot> {
  const { store, lane, lease, wallet, chainId, limits } = crew
  const now = crew.now()
  const day = dayOf(now)
  const jobs = rows.map(({ id }) => id)
  const { pending, ...pricing } = priced
  const reserved = costliest(call.value, pricing)
  return store.commit(async (trx) => {
    const nonce = await takeNonce(trx, lane, { lease, least: pending })
    const transaction = { ...call, ...pricing, chainId, nonce }
    const attempt = await sign(wallet, transaction, { cancels: false, now })
    const { gas } = pricing
    const slot: Slot = {
      ...{ ...call, nonce, state: 'open', jobs, gas, reserved, day, signedAt: now },
      ...{ block: undefined, attempts: [attempt] },
    }
    await spend(trx, { lane, day, rows, before: 0n, after: reserved, limits })
    await addSlot(trx, lane, slot)
    await writeAttempt(trx, lane, { nonce, attempt })
    const taken = await trx
      .updateTable('job')
      .set({ state: 'sent', nonce, txHash: attempt.hash })
      .where('id', 'in', jobs)
      .where('state', '=', 'queued')
      .executeTakeFirst()
    if (taken.numUpdatedRows !== BigInt(jobs.length)) throw new Withdrawn()
    return slot
  })
}

/** Ends jobs that were never signed. Their keys are free again. */
async function refuse(crew: Crew, rows: readonly JobRow[], failure: Failure): Promise<void> {
  const { store, lane, jobs } = crew
  const end = { kind: 'failed', failure } as const
  const ids = rows.map(({ id }) => id)
  await store.commit(async (trx) => {
    await fence(trx, lane, crew.lease)
    await trx
      .updateTable('job')
      .set({ ...endToRow(end), key: null })
      .where('id', 'in', ids)
      .where('state', '=', 'queued')
      .execute()
    await store.announce(trx, lane)
  })
  crew.observe({ kind: 'refused', jobs: rows.length })
  jobs.tell(new Map(ids.map((id) => [id, end])))
}
