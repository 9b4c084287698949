import { type Wei, wei } from '@heirloom/core'
import type { LocalAccount, PublicClient } from 'viem'
import { ask } from '../connection.ts'
import { type Alarm, alarm } from './signal.ts'
import { spentInName } from './key-budgets.ts'
import type { Crew, LaneSettings } from './lane-context.ts'
import { launch, nextGroup } from './submit.ts'
import { type Queue, queue } from './queue.ts'
import type { LaneId } from '../../job-store/schema.ts'
import { dayOf, spentOn } from './spend-limit.ts'
import { Deposed, knowing, type Store, Uncertain } from '../../job-store/job-store.ts'
import { type Waiting, waiting } from './callers.ts'
import { type Watch, watch } from './confirmer.ts'

/** The one way by which a wallet's writes reach the chain. */
export type Lane = Queue & {
  /** Returns what the wallet holds and what today's budget has lost, in wei. */
  wallet(): Promise<{ readonly balance: Wei; readonly spentToday: Wei }>
  /** Returns what a budget of that name has lost today (UTC), in wei. */
  spentInName(name: string): Promise<Wei>
  /** Takes up what was left unfinished; otherwise the first job does. */
  resume(): void
  /** Ends the step under way. What is signed stays signed, and the next opening takes it up. */
  close(): Promise<void>
}

export declare namespace openLane {
  type Options = LaneSettings & {
    readonly client: PublicClient
    readonly wallet: LocalAccount
    readonly store: Store
  }
}

/** How often the chain is looked at while something is undecided, in milliseconds; it slows down by itself. */
const pauses = { shortest: 25, longest: 1000 }

/** Opens the lane of a wallet. Processes that share a store share its lanes; one of them leads. */
export function openLane(options: openLane.Options): Lane {
  const { store, now, patience } = options
  const bell = alarm()
  const place = untilItWorks(() => placeOf(options))
  const lane = async () => (await place()).lane
  const waiters = waiting(store, patience)
  const jobs = queue({ store, lane, waiting: waiters, now, onAdded: bell.ring })
  const unsubscribe = store.subscribe(bell.ring)
  const stop = new AbortController()
  let running: Promise<void> | undefined
  const resume = () => {
    running ??= run({ ...options, place, bell, jobs: waiters, stopped: stop.signal })
  }
  return {
    resume,
    submit: (job) => {
      resume()
      return jobs.submit(job)
    },
    recall: (operation, idempotency) => {
      resume()
      return jobs.recall(operation, idempotency)
    },
    wallet: async () => walletOf(options, await lane()),
    spentInName: async (name) => {
      const entry = { lane: await lane(), day: dayOf(now()), name }
      return wei(await spentInName(store.db, entry))
    },
    close: async () => {
      stop.abort()
      bell.ring()
      unsubscribe()
      await running
      await waiters.close()
    },
  }
}

type Place = { readonly chainId: number; readonly lane: LaneId }

/** Returns what tells a wallet on one chain from the same wallet on any other. */
async function placeOf({ client, wallet }: openLane.Options): Promise<Place> {
  const [chainId, genesis] = await ask('eth_chainId', () =>
    Promise.all([client.getChainId(), client.getBlock({ blockNumber: 0n })]),
  )
  return { chainId, lane: `${chainId}:${genesis.hash}:${wallet.address.toLowerCase()}` }
}

/** Asks until there is an answer, and then never again. */
function untilItWorks<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => {
    answer ??= ask().catch((error: unknown) => {
      answer = undefined
      throw error
    })
    return answer
  }
}

async function walletOf({ client, wallet, store, now }: openLane.Options, lane: LaneId) {
  const { address } = wallet
  const balance = await ask('eth_getBalance', () => client.getBalance({ address }))
  const spent = await spentOn(store.db, { lane, day: dayOf(now()) })
  return { balance: wei(balance), spentToday: wei(spent) }
}

type Candidate = openLane.Options & {
  readonly place: () => Promise<Place>
  readonly bell: Alarm
  readonly jobs: Waiting
  readonly stopped: AbortSignal
}

/** Leads the lane whenever no other process does, until it is stopped. */
async function run(candidate: Candidate): Promise<void> {
  const { stopped, bell, jobs, observe } = candidate
  while (!stopped.aborted) {
    try {
      await lead(candidate)
    } catch (error) {
      observe({ kind: 'trouble', error })
      if (!stopped.aborted) await bell.wait(pauses.longest, jobs.count() > 0)
    }
  }
}

async function lead({ place, bell, stopped, ...rest }: Candidate): Promise<void> {
  const { store, observe } = rest
  const { lane, chainId } = await place()
  const lease = await store.lead(lane, stopped)
  observe({ kind: 'leads', leads: true })
  // What ended in a commit that was not answered was told to nobody.
  rest.jobs.look()
  try {
    const going = () => !stopped.aborted && !lease.lost.aborted
    await drive({ ...rest, store: knowing(store), lane, chainId, lease }, { bell, going })
  } finally {
    observe({ kind: 'leads', leads: false })
    await lease.release()
  }
}

type Post = { readonly bell: Alarm; readonly going: () => boolean }

async function drive(crew: Crew, { bell, going }: Post): Promise<void> {
  const watcher = await watch(crew)
  let pause = pauses.shortest
  while (going()) {
    const { moved, wait = pause } = await step(crew, watcher, going)
    const awaited = crew.jobs.count() > 0
    pause = moved ? pauses.shortest : Math.min(pause * 1.5, pauses.longest)
    const rest = awaited || watcher.follows() ? Math.min(pause, wait) : undefined
    const woken = await bell.wait(rest, awaited)
    if (woken === 'rung') pause = pauses.shortest
  }
}

/** Whether anything happened, and when to come again at the latest, in milliseconds from now. */
type Step = { readonly moved: boolean; readonly wait?: number | undefined }

/** Looks at the chain, and launches what waits. */
async function step(crew: Crew, watcher: Watch, going: () => boolean): Promise<Step> {
  // What cannot be looked at now must not keep what waits from being tried out, or refused.
  const looked = await reported(crew, async () => ({
    moved: watcher.follows() && (await watcher.look()),
  }))
  const launched = await reported(crew, () => launchAll(crew, watcher, going))
  return { moved: looked.moved || launched.moved, wait: launched.wait }
}

async function launchAll(crew: Crew, watcher: Watch, going: () => boolean): Promise<Step> {
  let moved = false
  while (going()) {
    const { rows, wait } = await nextGroup(crew, watcher)
    if (rows.length === 0) return { moved, wait }
    await launch(crew, watcher, rows)
    moved = true
  }
  return { moved }
}

async function reported({ observe }: Crew, act: () => Promise<Step>): Promise<Step> {
  try {
    return await act()
  } catch (error) {
    // Whoever leads next, be it this process, reads everything anew.
    if (error instanceof Deposed || error instanceof Uncertain) throw error
    observe({ kind: 'trouble', error })
    return { moved: false }
  }
}
