import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresStore, type Store, sqliteStore } from '@heirloom/adapters/store'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  Deposed,
  fence,
  type Lease,
  takeNonce,
} from '../../packages/adapters/src/job-store/job-store.ts'
import { type Postgres, startPostgres } from '../harness/process/postgres.ts'
import { openGate } from '../harness/chain/tcp-gate.ts'

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

/** Closes a store at the end of a test. */
async function opened(opening: Promise<Store>): Promise<Store> {
  const store = await opening
  onTestFinished(store.close)
  return store
}

const shared = () => opened(postgresStore(postgres.url.href))

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

async function keysIn(store: Store, lane: string) {
  const rows = await store.db.selectFrom('job').select('key').where('lane', '=', lane).execute()
  return rows.map(({ key }) => key)
}

/** Takes a nonce of a lane, as a leader does. */
function advance(store: Store, lane: string, lease: Lease, least = 0): Promise<number> {
  return store.commit((trx) => takeNonce(trx, lane, { lease, least }))
}

async function nextNonceOf({ db }: Store, lane: string): Promise<number> {
  const row = db.selectFrom('lane').select('nextNonce').where('id', '=', lane)
  return (await row.executeTakeFirstOrThrow()).nextNonce
}

const stores = {
  'a store in memory': () => opened(sqliteStore(':memory:')),
  'a store in a file': () => opened(sqliteStore(join(folder, `${randomUUID()}.sqlite`))),
  'a shared store': shared,
}

for (const [title, open] of Object.entries(stores)) {
  describe(title, () => {
    test.each([undefined, 'lazily'] as const)('keeps what is committed (%s)', async (lazily) => {
      const [store, lane] = [await open(), randomUUID()]
      const add = store.db.insertInto('job').values(jobOf(lane, 'one'))
      expect(await store.commit((trx) => trx.executeQuery(add.compile()), lazily)).toBeDefined()
      expect(await keysIn(store, lane)).toEqual(['one'])
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
        expect(await keysIn(store, lane)).toEqual([])
        await store.db.insertInto('job').values(jobOf(lane, 'one')).execute()
        expect(await keysIn(store, lane)).toEqual(['one'])
      },
    )

    test('keeps a key once per lane, and jobs without one as often as they come', async () => {
      const [store, lane] = [await open(), randomUUID()]
      const add = (key: string | null, of = lane) =>
        store.db.insertInto('job').values(jobOf(of, key)).execute()
      await add('one')
      await expect(add('one')).rejects.toThrow(/unique/i)
      await add('one', randomUUID())
      await add(null)
      await add(null)
      expect((await keysIn(store, lane)).toSorted()).toEqual([null, null, 'one'].toSorted())
    })

    test('begins a greater epoch with each lead', async () => {
      const [store, lane] = [await open(), randomUUID()]
      const epochs: number[] = []
      for (let round = 0; round < 3; round++) {
        const lease = await store.lead(lane, never)
        epochs.push(lease.epoch)
        await lease.release()
      }
      expect(epochs).toEqual([1, 2, 3])
    })

    test('refuses the commits of an older epoch, and changes nothing by them', async () => {
      const [store, lane] = [await open(), randomUUID()]
      const old = await store.lead(lane, never)
      expect(await advance(store, lane, old)).toBe(0)
      await old.release()
      const young = await store.lead(lane, never)
      await expect(advance(store, lane, old)).rejects.toThrow(Deposed)
      expect(await nextNonceOf(store, lane)).toBe(1)
      expect(await advance(store, lane, young)).toBe(1)
      await young.release()
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

    test('gives each nonce once, and none that the chain has passed', async () => {
      const [store, lane] = [await open(), randomUUID()]
      const lease = await store.lead(lane, never)
      const taken: number[] = []
      for (const least of [0, 0, 7, 3, 8, 9, 10, 12]) {
        taken.push(await advance(store, lane, lease, least))
      }
      expect(taken).toEqual([0, 1, 7, 8, 9, 10, 11, 12])
      expect(await nextNonceOf(store, lane)).toBe(13)
      await lease.release()
    })
  })
}

test('a file belongs to one store at a time', async () => {
  const path = join(folder, 'one.sqlite')
  const first = await sqliteStore(path)
  await expect(sqliteStore(path)).rejects.toThrow(/locked/)
  await first.close()
  const second = await sqliteStore(path)
  await second.close()
})

/** The process ids of the sessions that hold the right to lead a lane, or wait for it. */
function sessionsThat(what: 'lead' | 'wait'): Promise<readonly string[]> {
  return postgres.run(`
    SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted = ${what === 'lead'}
  `)
}

/** Ends sessions from outside, as an administrator would. */
function endSessions(which: string): Promise<readonly string[]> {
  return postgres.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${which}`)
}

/** Looks until what is looked for is there. */
async function until<T>(look: () => Promise<T>, isThere: (seen: T) => boolean): Promise<T> {
  let seen = await look()
  while (!isThere(seen)) seen = await look()
  return seen
}

const aborted = ({ lost }: Lease) =>
  new Promise<void>((resolve) => {
    if (lost.aborted) resolve()
    lost.addEventListener('abort', () => resolve())
  })

describe('leaders of a shared store', () => {
  test('follow each other as they let go', async () => {
    const [one, other, lane] = [await shared(), await shared(), randomUUID()]
    const first = await one.lead(lane, never)
    const order: string[] = []
    const second = other.lead(lane, never).then((lease) => {
      order.push('second leads')
      return lease
    })
    await until(
      () => sessionsThat('wait'),
      ({ length }) => length > 0,
    )
    order.push('first lets go')
    await first.release()
    expect((await second).epoch).toBe(first.epoch + 1)
    expect(order).toEqual(['first lets go', 'second leads'])
    await (await second).release()
  })

  test('lead different lanes at the same time', async () => {
    const [one, other] = [await shared(), await shared()]
    const leases = [await one.lead(randomUUID(), never), await other.lead(randomUUID(), never)]
    for (const lease of leases) await lease.release()
  })

  test('learn that their connection died, after which the next one leads', async () => {
    const [one, other, lane] = [await shared(), await shared(), randomUUID()]
    const first = await one.lead(lane, never)
    const [pid] = await sessionsThat('lead')
    const second = other.lead(lane, never)
    await endSessions(`pid = ${pid}`)
    await aborted(first)
    const lease = await second
    await expect(advance(one, lane, first)).rejects.toThrow(Deposed)
    await lease.release()
    await first.release()
  })

  test.each(['before', 'after'])('stop waiting when told to, %s they began', async (when) => {
    const [one, other, lane] = [await shared(), await shared(), randomUUID()]
    const first = await one.lead(lane, never)
    const stop = new AbortController()
    if (when === 'before') stop.abort()
    const waiting = expect(other.lead(lane, stop.signal)).rejects.toThrow()
    if (when === 'after') {
      await until(
        () => sessionsThat('wait'),
        ({ length }) => length > 0,
      )
      stop.abort()
    }
    await waiting
    await first.release()
  })

  test('stop waiting for a server that takes connections and says nothing', async () => {
    const gate = await openGate(Number(postgres.url.port))
    onTestFinished(gate.close)
    const store = await opened(postgresStore(urlThrough(gate.port)))
    gate.cut()
    const stop = new AbortController()
    const waiting = store.lead(randomUUID(), stop.signal)
    queueMicrotask(() => stop.abort())
    await expect(waiting).rejects.toThrow()
  })

  test('learn that the server fell silent, and let go of a silent connection', async () => {
    const gate = await openGate(Number(postgres.url.port))
    onTestFinished(gate.close)
    const [cutOff, other, lane] = [
      await opened(postgresStore(urlThrough(gate.port))),
      await shared(),
      randomUUID(),
    ]
    const first = await cutOff.lead(lane, never)
    gate.cut()
    const second = await other.lead(lane, never)
    expect(second.epoch).toBe(first.epoch + 1)
    await expect(advance(cutOff, lane, first), 'the server is out of reach').rejects.toThrow()
    await aborted(first)
    await first.release()
    gate.open()
    await expect(advance(cutOff, lane, first)).rejects.toThrow(Deposed)
    await second.release()
  })

  test('lose the right with a commit of which nobody knows whether it worked', async () => {
    const [store, lane] = [await shared(), randomUUID()]
    const lease = await store.lead(lane, never)
    const unsure = store.commit(async (trx) => {
      await fence(trx, lane, lease)
      await endSessions("state = 'idle in transaction'")
    })
    await expect(unsure).rejects.toThrow()
    expect(lease.lost.aborted).toBe(true)
    await lease.release()
    const next = await store.lead(lane, never)
    await expect(store.commit(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(next.lost.aborted, 'what was not committed leaves no doubt').toBe(false)
    await next.release()
  })

  test('are not held up by the open transaction of one that fell silent', async () => {
    const [one, other, lane] = [await shared(), await shared(), randomUUID()]
    const first = await one.lead(lane, never)
    const [pid] = await sessionsThat('lead')
    const fenced = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const silent = one.commit(async (trx) => {
      await fence(trx, lane, first)
      fenced.resolve()
      await end.promise
      await fence(trx, lane, first)
    })
    const refused = expect(silent).rejects.toThrow()
    await fenced.promise
    await endSessions(`pid = ${pid}`)
    const second = await other.lead(lane, never)
    expect(await advance(other, lane, second)).toBe(0)
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

describe('a shared store', () => {
  test('is opened by many at once', async () => {
    await Promise.all([1, 2, 3, 4].map(shared))
  })

  test('is opened while another process writes', async () => {
    const [store, lane] = [await shared(), randomUUID()]
    await store.commit(async (trx) => {
      await trx.insertInto('job').values(jobOf(lane, 'one')).execute()
      await shared()
      await trx.insertInto('lane').values({ id: lane, nextNonce: 0, epoch: 0 }).execute()
    })
    expect(await keysIn(store, lane)).toEqual(['one'])
  })

  test('survives the death of a connection in the middle of a transaction', async () => {
    const [store, lane] = [await shared(), randomUUID()]
    const torn = store.commit(async (trx) => {
      await trx.insertInto('job').values(jobOf(lane, 'one')).execute()
      await endSessions("state = 'idle in transaction'")
    })
    await expect(torn).rejects.toThrow()
    expect(await keysIn(store, lane)).toEqual([])
  })

  test('is told what others announce, also after the server came back', async () => {
    const [one, other, lane] = [await shared(), await shared(), randomUUID()]
    const told = (store: Store) =>
      new Promise<void>((resolve) => {
        const unsubscribe = store.subscribe(() => {
          unsubscribe()
          resolve()
        })
      })
    const hearing = told(other)
    await one.commit((trx) => one.announce(trx, lane))
    await hearing
    await postgres.stop('immediate')
    const port = Number(postgres.url.port)
    postgres = await startPostgres({ folder: postgres.folder, port })
    const again = told(other)
    await one.commit((trx) => one.announce(trx, lane))
    await again
  })

  test('leaves nothing behind when it is closed', async () => {
    const sessions = () =>
      postgres.run(`
        SELECT pid FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
      `)
    const before = await sessions()
    const store = await postgresStore(postgres.url.href)
    const lease = await store.lead(randomUUID(), never)
    await store.commit((trx) => store.announce(trx, 'any'))
    expect((await sessions()).length).toBeGreaterThan(before.length)
    await lease.release()
    await store.close()
    await until(sessions, ({ length }) => length <= before.length)
  })
})
