import { randomUUID } from 'node:crypto'
import type { JobStore } from '@heirloom/adapters/job-store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { postgresStore } from '../../packages/adapters/src/store/postgres.ts'
import { type Lease, takeNonce } from '../../packages/adapters/src/store/store.ts'
import { openGate, type TcpGate } from '../harness/chain/tcp-gate.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'
import { times } from '../tier.ts'

const postgres = sharedPostgres()

/** The time of a lease, and the silence of a connection, in milliseconds: short, for many stories. */
const [leaseTime, silence] = [400, 800]

const seed = Number(process.env.FC_SEED ?? 19)
const numRuns = Number(process.env.LEASE_STORIES ?? times(6, 12))

/** A process that seeks the lease of a lane, holds it and commits under it. */
type Candidate = {
  readonly store: JobStore
  readonly gate: TcpGate
  /** Whether what its work needs is silent, so that another one that can do the work gets the lease. */
  isSilent: boolean
  lease: Lease | undefined
  seeking: Promise<void> | undefined
}

/** A commit that was acknowledged: the nonce that it took, under a token. */
type Acknowledged = { readonly nonce: number; readonly token: number }

type Story = {
  readonly lane: string
  readonly candidates: readonly Candidate[]
  readonly stop: AbortController
  /** The tokens in the order in which they were issued. */
  readonly tokens: number[]
  readonly acknowledged: Acknowledged[]
  readonly commits: Promise<void>[]
}

async function openCandidate(): Promise<Candidate> {
  const gate = await openGate(Number(postgres.url.port))
  const url = Object.assign(new URL(postgres.url), { port: String(gate.port) })
  const store = await postgresStore(url.href, { leaseTime, silence }).catch(async (error) => {
    await gate.close()
    throw error
  })
  return { store, gate, isSilent: false, lease: undefined, seeking: undefined }
}

/** Opens a story; a database that is silent for as long as in one, on a busy machine, begins none. */
async function openStory(): Promise<Story> {
  const opened = await Promise.allSettled([1, 2, 3].map(openCandidate))
  const candidates = opened.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []))
  if (candidates.length < opened.length) await closeAll(candidates)
  fc.pre(candidates.length === opened.length)
  const stop = new AbortController()
  return { lane: randomUUID(), candidates, stop, tokens: [], acknowledged: [], commits: [] }
}

/** The things that happen to a candidate. Each act does nothing where it makes no sense. */
const acts = {
  seek: (story: Story, candidate: Candidate) => {
    if (candidate.lease?.isHeld() || candidate.seeking !== undefined) return
    candidate.seeking = seek(story, candidate).finally(() => {
      candidate.seeking = undefined
    })
  },
  commit: (story: Story, candidate: Candidate) => {
    const { lease } = candidate
    if (lease !== undefined) story.commits.push(commit(story, candidate, lease))
  },
  release: (_story: Story, { lease }: Candidate) => void lease?.release(),
  /** The network stops in both directions, and neither side learns it. */
  stall: (_story: Story, { gate }: Candidate) => gate.stall(),
  heal: (_story: Story, { gate }: Candidate) => gate.open(),
  silence: (_story: Story, candidate: Candidate) => Object.assign(candidate, { isSilent: true }),
  answer: (_story: Story, candidate: Candidate) => Object.assign(candidate, { isSilent: false }),
}

async function seek(story: Story, candidate: Candidate): Promise<void> {
  const { lane, stop, tokens, candidates } = story
  try {
    const means = {
      areSilent: () => candidate.isSilent,
      answer: async () => !candidate.isSilent,
    }
    const lease = await candidate.store.lead(lane, stop.signal, means)
    const holders = candidates.filter((it) => it !== candidate && it.lease?.isHeld())
    expect(holders, 'a second holder').toEqual([])
    tokens.push(lease.fencingToken)
    candidate.lease = lease
  } catch (error) {
    if (!stop.signal.aborted && isAssertion(error)) throw error
  }
}

const isAssertion = (error: unknown) => error instanceof Error && error.name === 'AssertionError'

/** Commits under a lease, whether or not it is still held: the store decides. */
async function commit(story: Story, { store }: Candidate, lease: Lease): Promise<void> {
  const { lane, acknowledged } = story
  const token = lease.fencingToken
  try {
    const nonce = await store.commit(async (trx) => {
      const taken = await takeNonce(trx, lane, { lease, least: 0 })
      await trx
        .insertInto('job')
        .values(rowOf(lane, taken, token))
        .execute()
      return taken
    })
    acknowledged.push({ nonce, token })
  } catch {
    // Refused, or without an answer: it was not acknowledged.
  }
}

const rowOf = (lane: string, nonce: number, token: number) => ({
  ...({ id: `${lane} ${nonce}`, lane, operation: 'mint', to: '0x', data: '0x' } as const),
  ...({ value: String(token), key: null, fingerprint: null, budget: null } as const),
  ...({ state: 'queued', nonce, txHash: null, outcome: null, acceptedAt: 0 } as const),
})

async function readCommitted({ lane }: Story): Promise<readonly Acknowledged[]> {
  const rows = await postgres.run(
    `SELECT nonce, value FROM job WHERE lane = '${lane}' ORDER BY nonce`,
  )
  return rows.map((row) => {
    const [nonce, token] = row.split('|').map(Number)
    return { nonce: nonce ?? -1, token: token ?? -1 }
  })
}

const rises = (numbers: readonly number[]) =>
  numbers.every((it, at) => at === 0 || it > (numbers[at - 1] ?? Number.NEGATIVE_INFINITY))

async function end(story: Story): Promise<void> {
  const { candidates, stop, commits } = story
  await Promise.all(commits)
  for (const { gate } of candidates) gate.open()
  stop.abort()
  await Promise.all(candidates.map(({ seeking }) => seeking))
  await Promise.all(candidates.map(({ lease }) => lease?.release()))
  await closeAll(candidates)
}

async function closeAll(candidates: readonly Candidate[]): Promise<void> {
  await Promise.all(candidates.map(({ store }) => store.close()))
  await Promise.all(candidates.map(({ gate }) => gate.close()))
}

type ActName = keyof typeof acts

const arbitraryStep = fc.record({
  who: fc.nat({ max: 2 }),
  act: fc.oneof(
    { weight: 4, arbitrary: fc.constant<ActName>('commit') },
    { weight: 3, arbitrary: fc.constant<ActName>('seek') },
    { weight: 1, arbitrary: fc.constantFrom<ActName>('release', 'stall', 'heal') },
    { weight: 1, arbitrary: fc.constantFrom<ActName>('silence', 'answer') },
  ),
  /** The wait before the next step in milliseconds: often none, sometimes a whole lease. */
  wait: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.nat({ max: 30 }) },
    { weight: 1, arbitrary: fc.constant(leaseTime + 100) },
  ),
})

const pass = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('one process holds a lease, tokens rise, and what is committed under one is neither lost nor doubled', async () => {
  let commits = 0
  let leases = 0
  const property = fc.asyncProperty(
    fc.array(arbitraryStep, { minLength: 20, maxLength: 60 }),
    async (steps) => {
      const story = await openStory()
      for (const { who, act, wait } of steps) {
        acts[act](story, story.candidates[who] as Candidate)
        await pass(wait)
      }
      await end(story)
      const { tokens, acknowledged } = story
      expect(rises(tokens), `tokens ${tokens}`).toBe(true)
      const committed = await readCommitted(story)
      for (const it of acknowledged) expect(committed).toContainEqual(it)
      expect(new Set(acknowledged.map(({ nonce }) => nonce)).size).toBe(acknowledged.length)
      const inOrder = committed.map(({ token }) => token)
      expect(inOrder, 'no commit of an older token follows').toEqual(inOrder.toSorted(ascending))
      commits += acknowledged.length
      leases += tokens.length
    },
  )
  await fc.assert(property, { seed, numRuns, endOnFailure: true })
  expect(commits).toBeGreaterThan(numRuns)
  expect(leases).toBeGreaterThan(numRuns)
})

const ascending = (one: number, other: number) => one - other

test('leases of many lanes take one connection, and each is released for itself', async () => {
  const [store, other] = await Promise.all([1, 2].map(() => postgresStore(postgres.url.href)))
  if (store === undefined || other === undefined) throw new Error('Both stores are open.')
  const never = new AbortController().signal
  const lanes = Array.from({ length: 30 }, () => randomUUID())
  const connections = async () =>
    Number(
      (
        await postgres.run(
          `SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'`,
        )
      )[0],
    )
  const before = await connections()
  const leases = await Promise.all(lanes.map((lane) => store.lead(lane, never)))
  expect((await connections()) - before).toBeLessThan(6)
  const [first, second] = leases
  const won = other.lead(lanes[0] ?? '', never)
  await first?.release()
  expect((await won).isHeld()).toBe(true)
  expect([first?.isHeld(), second?.isHeld()]).toEqual([false, true])
  // The same lane a second time in one process waits as elsewhere.
  const again = store.lead(lanes[1] ?? '', never)
  await second?.release()
  expect((await again).fencingToken).toBeGreaterThan(second?.fencingToken ?? 0)
  await Promise.all([store.close(), other.close()])
  expect(leases.map((it) => it.isHeld())).not.toContain(true)
})

test('a store that forgot the last token issues another one, not that one again', async () => {
  const store = await postgresStore(postgres.url.href)
  const lane = randomUUID()
  const never = new AbortController().signal
  const first = await store.lead(lane, never)
  const before = `UPDATE lane SET epoch = 0 WHERE id = '${lane}'`
  await postgres.run(before)
  await first.release()
  const second = await store.lead(lane, never)
  expect(second.fencingToken).not.toBe(first.fencingToken)
  await second.release()
  await store.close()
})

test('tells the time of the database, whatever the clock of the machine says', async () => {
  const store = await postgresStore(postgres.url.href)
  const [row] = await postgres.run('SELECT extract(epoch FROM clock_timestamp()) * 1000')
  const now = Date.now
  Date.now = () => now() + 3_600_000
  try {
    expect(Math.abs(store.now() - Number(row))).toBeLessThan(2000)
  } finally {
    Date.now = now
  }
  await store.close()
})
