import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JobStore, postgresJobStore, sqliteJobStore } from '@heirloom/adapters/job-store'
import { wei } from '@heirloom/core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  budgetsToText,
  chargeBudgets,
  spentFromBudget,
} from '../../packages/adapters/src/ledger/nonce-lane/fees/key-budgets.ts'
import {
  type Lease,
  LeaseLost,
  requireLease,
  takeNonce,
} from '../../packages/adapters/src/store/store.ts'
import { openGate } from '../harness/chain/tcp-gate.ts'
import { type Postgres, startPostgres } from '../harness/process/postgres.ts'

const never = new AbortController().signal

let postgres: Postgres
let folder: string

beforeAll(async () => {
  postgres = await startPostgres()
  folder = mkdtempSync(join(tmpdir(), 'store-'))
})

afterAll(async () => {
  await postgres.stop('fast')
  rmSync(postgres.folder, { recursive: true })
  rmSync(folder, { recursive: true })
})

/** Returns a store that is closed at the end of the test. */
async function forTest(opening: Promise<JobStore>): Promise<JobStore> {
  const store = await opening
  onTestFinished(store.close)
  return store
}

const openShared = () => forTest(postgresJobStore(postgres.url.href))

function jobOf(lane: string, key: string | null) {
  return {
    ...({ id: randomUUID(), lane, operation: 'mint', to: '0x', data: '0x', value: '0' } as const),
    ...({
      key,
      fingerprint: key,
      state: 'queued',
      nonce: null,
      txHash: null,
      budget: null,
      outcome: null,
    } as const),
    acceptedAt: 1_800_000_000_000,
  }
}

async function readKeys(store: JobStore, lane: string) {
  const rows = await store.db.selectFrom('job').select('key').where('lane', '=', lane).execute()
  return rows.map(({ key }) => key)
}

/** Takes the next nonce of a lane, as a leader does. */
function nextNonce(store: JobStore, lane: string, lease: Lease, least = 0): Promise<number> {
  return store.commit((trx) => takeNonce(trx, lane, { lease, least }))
}

async function readNextNonce({ db }: JobStore, lane: string): Promise<number> {
  const row = db.selectFrom('lane').select('nextNonce').where('id', '=', lane)
  return (await row.executeTakeFirstOrThrow()).nextNonce
}

const stores = {
  'a job store in memory': () => forTest(sqliteJobStore(':memory:')),
  'a job store in a file': () => forTest(sqliteJobStore(join(folder, `${randomUUID()}.sqlite`))),
  'a shared job store': openShared,
}

for (const [title, open] of Object.entries(stores)) {
  describe(title, () => {
    test.each([undefined, 'lazily'] as const)('stores what is committed (%s)', async (lazily) => {
      const [store, lane] = [await open(), randomUUID()]
      const add = store.db.insertInto('job').values(jobOf(lane, 'one'))
      expect(await store.commit((trx) => trx.executeQuery(add.compile()), lazily)).toBeDefined()
      expect(await readKeys(store, lane)).toEqual(['one'])
    })

    test.each([undefined, 'lazily'] as const)(
      'changes nothing when a commit throws (%s)',
      async (lazily) => {
        const [store, lane] = [await open(), randomUUID()]
        const failing = store.commit(async (trx) => {
          await trx.insertInto('job').values(jobOf(lane, 'one')).execute()
          throw new Error('no')
        }, lazily)
        await expect(failing).rejects.toThrow('no')
        expect(await readKeys(store, lane)).toEqual([])
        await store.db.insertInto('job').values(jobOf(lane, 'one')).execute()
        expect(await readKeys(store, lane)).toEqual(['one'])
      },
    )

    test('stores a key once per lane, and any number of jobs without a key', async () => {
      const [store, lane] = [await open(), randomUUID()]
      const add = (key: string | null, of = lane) =>
        store.db.insertInto('job').values(jobOf(of, key)).execute()
      await add('one')
      await expect(add('one')).rejects.toThrow(/unique/i)
      await add('one', randomUUID())
      await add(null)
      await add(null)
      expect((await readKeys(store, lane)).toSorted()).toEqual([null, null, 'one'].toSorted())
    })

    test('issues a greater fencing token with each lease', async () => {
      const [store, lane] = [await open(), randomUUID()]
      const tokens: number[] = []
      for (let round = 0; round < 3; round++) {
        const lease = await store.lead(lane, never)
        tokens.push(lease.fencingToken)
        await lease.release()
      }
      const [first = 0, second = 0, third = 0] = tokens
      expect(first < second && second < third, `${tokens}`).toBe(true)
    })

    test('refuses commits with an older lease, which change nothing', async () => {
      const [store, lane] = [await open(), randomUUID()]
      const old = await store.lead(lane, never)
      expect(await nextNonce(store, lane, old)).toBe(0)
      await old.release()
      const current = await store.lead(lane, never)
      await expect(nextNonce(store, lane, old)).rejects.toThrow(LeaseLost)
      expect(await readNextNonce(store, lane)).toBe(1)
      expect(await nextNonce(store, lane, current)).toBe(1)
      await current.release()
    })

    test('finds jobs by lists of any length', async () => {
      const [store, lane] = [await open(), randomUUID()]
      const jobs = Array.from({ length: 600 }, () => jobOf(lane, null))
      await store.db.insertInto('job').values(jobs).execute()
      for (let length = 1; length <= jobs.length; length++) {
        const ids = jobs.slice(0, length).map(({ id }) => id)
        const found = store.db.selectFrom('job').select('id').where('id', 'in', ids)
        expect(await found.execute()).toHaveLength(length)
      }
    })

    test('issues each nonce once, and none that the chain has used', async () => {
      const [store, lane] = [await open(), randomUUID()]
      const lease = await store.lead(lane, never)
      const taken: number[] = []
      for (const least of [0, 0, 7, 3, 8, 9, 10, 12]) {
        taken.push(await nextNonce(store, lane, lease, least))
      }
      expect(taken).toEqual([0, 1, 7, 8, 9, 10, 11, 12])
      expect(await readNextNonce(store, lane)).toBe(13)
      await lease.release()
    })
  })
}

test('a file is open in one job store at a time', async () => {
  const path = join(folder, 'one.sqlite')
  const first = await sqliteJobStore(path)
  await expect(sqliteJobStore(path)).rejects.toThrow(/locked/)
  await first.close()
  const second = await sqliteJobStore(path)
  await second.close()
})

/** Returns the process ids of the sessions that lead a lane. */
const sessionsThatLead = () =>
  postgres.run("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted")

/** Returns the process ids of the sessions that have tried to lead a lane which another one leads. */
const sessionsThatWait = () =>
  postgres.run(`
    SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_try_advisory_lock%'
    AND pid <> pg_backend_pid() AND pid NOT IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')
  `)

/** Terminates the sessions that match a condition, as an administrator would. */
function terminateSessions(condition: string): Promise<readonly string[]> {
  return postgres.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${condition}`)
}

/** Reads a value until it meets a condition. */
async function until<T>(read: () => Promise<T>, condition: (value: T) => boolean): Promise<T> {
  let value = await read()
  while (!condition(value)) value = await read()
  return value
}

const waitUntilLost = ({ lost }: Lease) =>
  new Promise<void>((resolve) => {
    if (lost.aborted) resolve()
    lost.addEventListener('abort', () => resolve())
  })

describe('leaders of a shared job store', () => {
  test('lead one after another', async () => {
    const [one, other, lane] = [await openShared(), await openShared(), randomUUID()]
    const first = await one.lead(lane, never)
    const order: string[] = []
    const second = other.lead(lane, never).then((lease) => {
      order.push('second leads')
      return lease
    })
    await until(sessionsThatWait, ({ length }) => length > 0)
    order.push('first releases')
    await first.release()
    expect((await second).fencingToken).toBeGreaterThan(first.fencingToken)
    expect(order).toEqual(['first releases', 'second leads'])
    await (await second).release()
  })

  test('lead different lanes at the same time', async () => {
    const [one, other] = [await openShared(), await openShared()]
    const leases = [await one.lead(randomUUID(), never), await other.lead(randomUUID(), never)]
    for (const lease of leases) await lease.release()
  })

  test('lose the lease with their connection, and the next one leads', async () => {
    const [one, other, lane] = [await openShared(), await openShared(), randomUUID()]
    const first = await one.lead(lane, never)
    const [pid] = await sessionsThatLead()
    const second = other.lead(lane, never)
    await terminateSessions(`pid = ${pid}`)
    await waitUntilLost(first)
    const lease = await second
    await expect(nextNonce(one, lane, first)).rejects.toThrow(LeaseLost)
    await lease.release()
    await first.release()
  })

  test.each(['before', 'after'])('stop waiting on request, %s they began', async (when) => {
    const [one, other, lane] = [await openShared(), await openShared(), randomUUID()]
    const first = await one.lead(lane, never)
    const stop = new AbortController()
    if (when === 'before') stop.abort()
    const waiting = expect(other.lead(lane, stop.signal)).rejects.toThrow()
    if (when === 'after') {
      await until(sessionsThatWait, ({ length }) => length > 0)
      stop.abort()
    }
    await waiting
    await first.release()
  })

  test('stop waiting for a server that accepts connections and never answers', async () => {
    const gate = await openGate(Number(postgres.url.port))
    onTestFinished(gate.close)
    const store = await forTest(postgresJobStore(urlThrough(gate.port)))
    gate.cut()
    const stop = new AbortController()
    const waiting = store.lead(randomUUID(), stop.signal)
    queueMicrotask(() => stop.abort())
    await expect(waiting).rejects.toThrow()
  })

  test('lose the lease when the server is silent, and close a silent connection', async () => {
    const gate = await openGate(Number(postgres.url.port))
    onTestFinished(gate.close)
    const [cutOff, other, lane] = [
      await forTest(postgresJobStore(urlThrough(gate.port))),
      await openShared(),
      randomUUID(),
    ]
    const first = await cutOff.lead(lane, never)
    gate.cut()
    const second = await other.lead(lane, never)
    expect(second.fencingToken).toBeGreaterThan(first.fencingToken)
    await expect(nextNonce(cutOff, lane, first), 'the server is out of reach').rejects.toThrow()
    await waitUntilLost(first)
    await first.release()
    gate.open()
    await expect(nextNonce(cutOff, lane, first)).rejects.toThrow(LeaseLost)
    await second.release()
  })

  test('lose the lease with a commit whose result is unknown', async () => {
    const [store, lane] = [await openShared(), randomUUID()]
    const lease = await store.lead(lane, never)
    const uncertain = store.commit(async (trx) => {
      await requireLease(trx, lane, lease)
      await terminateSessions("state = 'idle in transaction'")
    })
    await expect(uncertain).rejects.toThrow()
    expect(lease.lost.aborted).toBe(true)
    await lease.release()
    const next = await store.lead(lane, never)
    await expect(store.commit(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(next.lost.aborted, 'a commit that throws is not uncertain').toBe(false)
    await next.release()
  })

  test('are not blocked by the open transaction of a silent leader', async () => {
    const [one, other, lane] = [await openShared(), await openShared(), randomUUID()]
    const first = await one.lead(lane, never)
    const [pid] = await sessionsThatLead()
    const fenced = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const silent = one.commit(async (trx) => {
      await requireLease(trx, lane, first)
      fenced.resolve()
      await end.promise
      await requireLease(trx, lane, first)
    })
    const refused = expect(silent).rejects.toThrow()
    await fenced.promise
    await terminateSessions(`pid = ${pid}`)
    const second = await other.lead(lane, never)
    expect(await nextNonce(other, lane, second)).toBe(0)
    end.resolve()
    await refused
    await second.release()
  })
})

function urlThrough(port: number): string {
  const url = new URL(postgres.url)
  url.port = String(port)
  return url.href
}

test.each(Object.entries(stores))(
  '%s counts a budget that spans wallets together, whichever lanes charge it at the same time',
  async (_, open) => {
    const [store, name] = [await open(), randomUUID()]
    const budget = { name, perDay: wei(5n), spansWallets: true }
    const rows = [{ budget: budgetsToText([budget]) }]
    const cost = { day: 1, rows, before: 0n, after: 1n, limited: true }
    const charges = Array.from({ length: 12 }, (__, index) =>
      store.commit((trx) => chargeBudgets(trx, { lane: `lane ${index % 3}`, ...cost })),
    )
    const ends = await Promise.allSettled(charges)
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    const of = { lane: 'another lane', day: 1, name }
    expect(await spentFromBudget(store.db, { ...of, spansWallets: true })).toBe(5n)
    expect(await spentFromBudget(store.db, of)).toBe(0n)
  },
)

describe('a shared job store', () => {
  test('is opened by several processes at once', async () => {
    await Promise.all([1, 2, 3, 4].map(openShared))
  })

  test('is opened while another process writes', async () => {
    const [store, lane] = [await openShared(), randomUUID()]
    await store.commit(async (trx) => {
      await trx.insertInto('job').values(jobOf(lane, 'one')).execute()
      await openShared()
      await trx.insertInto('lane').values({ id: lane, nextNonce: 0, epoch: 0 }).execute()
    })
    expect(await readKeys(store, lane)).toEqual(['one'])
  })

  test('survives the loss of a connection during a transaction', async () => {
    const [store, lane] = [await openShared(), randomUUID()]
    const broken = store.commit(async (trx) => {
      await trx.insertInto('job').values(jobOf(lane, 'one')).execute()
      await terminateSessions("state = 'idle in transaction'")
    })
    await expect(broken).rejects.toThrow()
    expect(await readKeys(store, lane)).toEqual([])
  })

  test('notifies subscribers of announcements, also after a restart of the server', async () => {
    const [one, other, lane] = [await openShared(), await openShared(), randomUUID()]
    const notification = (store: JobStore) =>
      new Promise<void>((resolve) => {
        const unsubscribe = store.subscribe(() => {
          unsubscribe()
          resolve()
        })
      })
    const first = notification(other)
    await one.commit((trx) => one.announce(trx, lane))
    await first
    await postgres.stop('immediate')
    const port = Number(postgres.url.port)
    postgres = await startPostgres({ folder: postgres.folder, port })
    const second = notification(other)
    await one.commit((trx) => one.announce(trx, lane))
    await second
  })

  test('names the lane that changed', async () => {
    const [one, other, lane] = [await openShared(), await openShared(), randomUUID()]
    const named = new Set<string | undefined>()
    const unsubscribe = other.subscribe((changed) => named.add(changed))
    // The other store may not listen yet.
    while (!named.has(lane)) await one.commit((trx) => one.announce(trx, lane))
    unsubscribe()
    expect([...named].filter((it) => it !== undefined)).toEqual([lane])
  })

  test('leaves no session behind when it is closed', async () => {
    const sessions = () =>
      postgres.run(`
        SELECT pid FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
      `)
    const before = await sessions()
    const store = await postgresJobStore(postgres.url.href)
    const lease = await store.lead(randomUUID(), never)
    await store.commit((trx) => store.announce(trx, 'any'))
    expect((await sessions()).length).toBeGreaterThan(before.length)
    await lease.release()
    await store.close()
    await until(sessions, ({ length }) => length <= before.length)
  })
})
