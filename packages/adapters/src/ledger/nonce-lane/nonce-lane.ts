import { type Wei, wei } from '@heirloom/core'
import type { Hex, LocalAccount, PublicClient } from 'viem'
import type { Means } from '../../platform/means.ts'
import { memoize } from '../../platform/memoize.ts'
import { type Signal, signal } from '../../platform/signal.ts'
import type { LaneId } from '../../store/schema.ts'
import { spentOn } from '../../store/spending.ts'
import { detectUncertainCommits, type Store } from '../../store/store.ts'
import { callNode } from '../node-call.ts'
import { type Confirmer, openConfirmer } from './answers/confirmer.ts'
import { knownChain } from './answers/known-chain.ts'
import { undoneTokens } from './answers/undone-tokens.ts'
import { type Callers, callers } from './callers.ts'
import { type BudgetName, spentFromBudget } from './fees/key-budgets.ts'
import { dayOf } from './fees/spend-limit.ts'
import { type Inbox, inbox as newInbox } from './inbox.ts'
import { type JobQueue, jobQueue } from './job-queue.ts'
import { laneChanges } from './lane-changes.ts'
import type { LaneBounds, LaneContext, LaneSettings } from './lane-context.ts'
import { openPruner } from './prune.ts'
import { reportErrors } from './report-errors.ts'
import { type RivalWatch, rivalWatch } from './rival-watch.ts'
import { nextBatch, refuse, submit } from './submit.ts'

/** Sends all writes of a wallet to the chain, one nonce after another. Nothing else may send. */
export type NonceLane = JobQueue & {
  /** Returns the wallet's balance and the amount that counts for today (UTC), in wei. */
  wallet(): Promise<{ readonly balance: Wei; readonly spentToday: Wei }>
  /** Returns the amount that counts against a budget today (UTC), in wei. */
  spentFromBudget(budget: BudgetName): Promise<Wei>
  /**
   * Requires that no other program writes with the wallet, as far as the lane has seen.
   *
   * @throws `wallet/shared`
   */
  requireAlone(): void
  /** Returns whether a token that the chain does not show was minted here, and may come back. */
  mayReturn(tokenId: bigint): Promise<boolean>
  /** Starts work on unfinished jobs; otherwise the first `execute` or `recall` starts it. */
  resume(): void
  /** Ends the current step. Signed transactions stay in the store for the next start. */
  close(): Promise<void>
}

export declare namespace openNonceLane {
  type Options = LaneSettings &
    LaneBounds & {
      readonly client: PublicClient
      readonly wallet: LocalAccount
      readonly store: Store
      /** The contracts that the lane writes to. */
      readonly contracts: readonly Hex[]
      /** Returns whether the chain answered when it was asked last; unknown when absent. */
      readonly isReachable?: (() => boolean) | undefined
      /** The means of writing, without which another process leads if it can. */
      readonly means: Means
    }
}

/**
 * The growing pause between two reads of the chain while a slot is undecided, in milliseconds. It
 * begins with a quarter of the usual time to a block, between `least` and `shortest`.
 */
const pauses = { least: 2, shortest: 25, afterError: 250, longest: 1000 }

/** Opens the lane of a wallet. Processes that share a store share the lane, and one leads it. */
export function openNonceLane(options: openNonceLane.Options): NonceLane {
  const { store, now, callerTimeout } = options
  const wakeUp = signal()
  const identity = memoize(() => readIdentity(options))
  const lane = async () => (await identity()).lane
  const subscribe = laneChanges(store, options.wallet.address)
  // Where this process alone has the store, its lane is the one that leads.
  const inbox = store.isShared ? undefined : newInbox()
  const waiting = callers({ store: { ...store, subscribe }, timeout: callerTimeout, inbox })
  let added = 0
  const onAdded = () => {
    added += 1
    wakeUp.notify()
  }
  const queue = jobQueue({ store, lane, callers: waiting, inbox, now, onAdded })
  const unsubscribe = subscribe(wakeUp.notify)
  const stop = new AbortController()
  const rivals = rivalWatch(options.wallet.address, options.isAlone ? options.contracts : [])
  let running: Promise<void> | undefined
  const resume = () => {
    running ??= run({
      ...options,
      identity,
      wakeUp,
      callers: waiting,
      rivals,
      inbox,
      added: () => added,
      stopped: stop.signal,
    })
  }
  return {
    resume,
    execute: (job) => {
      resume()
      return queue.execute(job)
    },
    recall: (operation, idempotency) => {
      resume()
      return queue.recall(operation, idempotency)
    },
    wallet: async () => readWallet(options, await lane()),
    spentFromBudget: async (name) => {
      const budget = { lane: await lane(), day: dayOf(now()), ...name }
      return wei(await spentFromBudget(store.db, budget))
    },
    requireAlone: rivals.requireNone,
    mayReturn: undoneTokens(store, lane),
    close: async () => {
      stop.abort()
      wakeUp.notify()
      unsubscribe()
      await running
      await waiting.close()
    },
  }
}

type Identity = { readonly chainId: number; readonly lane: LaneId }

/** Returns the id of the lane, which differs for the same wallet on another chain. */
async function readIdentity({ client, wallet }: openNonceLane.Options): Promise<Identity> {
  const [chainId, genesis] = await callNode('eth_chainId', () =>
    Promise.all([client.getChainId(), client.getBlock({ blockNumber: 0n })]),
  )
  return { chainId, lane: `${chainId}:${genesis.hash}:${wallet.address.toLowerCase()}` }
}

async function readWallet({ client, wallet, store, now }: openNonceLane.Options, lane: LaneId) {
  const { address } = wallet
  const balance = await callNode('eth_getBalance', () => client.getBalance({ address }))
  const spent = await spentOn(store.db, { lane, day: dayOf(now()) })
  return { balance: wei(balance), spentToday: wei(spent) }
}

type Candidate = openNonceLane.Options & {
  readonly identity: () => Promise<Identity>
  readonly wakeUp: Signal
  readonly callers: Callers
  readonly rivals: RivalWatch
  readonly inbox: Inbox | undefined
  readonly added: () => number
  readonly stopped: AbortSignal
}

/** Leads the lane whenever no other process does, until it is stopped. */
async function run(candidate: Candidate): Promise<void> {
  const { stopped, wakeUp, observe } = candidate
  while (!stopped.aborted) {
    try {
      await lead(candidate)
    } catch (error) {
      observe({ kind: 'trouble', error })
      if (!stopped.aborted) {
        const keepsProcess = candidate.callers.count() > 0
        await wakeUp.wait({ milliseconds: pauses.longest, keepsProcess })
      }
    }
  }
}

async function lead({ identity, wakeUp, stopped, ...options }: Candidate): Promise<void> {
  const { observe } = options
  const { lane, chainId } = await identity()
  const lease = await options.store.lead(lane, stopped, options.means)
  observe({ kind: 'leads', leads: true })
  if (options.inbox) options.inbox.mayBeStored = true
  // The callers of jobs that ended in a commit without an answer still wait.
  options.callers.refresh()
  try {
    const store = detectUncertainCommits(options.store)
    const isRunning = () => !stopped.aborted && lease.isHeld()
    // What the last leader knew may be outdated.
    const known = knownChain(options)
    const context = { ...options, store, lane, chainId, lease, known, memory: {} }
    await work(context, { wakeUp, isRunning })
  } finally {
    observe({ kind: 'leads', leads: false })
    await lease.release()
  }
}

type Loop = { readonly wakeUp: Signal; readonly isRunning: () => boolean }

async function work(context: LaneContext, { wakeUp, isRunning }: Loop): Promise<void> {
  const confirmer = await openConfirmer(context)
  const pruner = openPruner(context, confirmer)
  let pause = firstPause(confirmer)
  while (isRunning()) {
    const { hasMoved, hasFailed, wait = pause } = await step(context, confirmer, isRunning)
    const { hasMoved: hasPruned } = await reportErrors(context, pruner.step, still)
    const hasCallers = context.callers.count() > 0
    const hasWork = hasCallers || hasPruned
    const end = { hasMoved: hasMoved || hasPruned, hasFailed, hasWork, pause }
    pause = pauseAfter(confirmer, end)
    const sleep = hasWork || confirmer.isWaiting() ? Math.min(pause, wait) : undefined
    const reason = await wakeUp.wait({ milliseconds: sleep, keepsProcess: hasCallers })
    pause = reason === 'notified' ? firstPause(confirmer) : pause
  }
}

type StepEnd = {
  readonly hasMoved: boolean
  readonly hasFailed: true | undefined
  readonly hasWork: boolean
  readonly pause: number
}

/** Returns the pause after a step, from the one before. */
function pauseAfter(confirmer: Confirmer, end: StepEnd): number {
  const { hasMoved, hasFailed, hasWork, pause } = end
  // Then only a reorganisation could change anything.
  if (!hasWork && !confirmer.isUndecided()) return pauses.longest
  const longer = Math.min(pause * 1.5, pauses.longest)
  // A node that answers wrongly at once is not asked at once again.
  if (hasFailed) return Math.max(longer, pauses.afterError)
  return hasMoved ? firstPause(confirmer) : longer
}

const firstPause = ({ averageWait }: Confirmer): number =>
  Math.min(Math.max(pauses.least, averageWait() / 4), pauses.shortest)

/** Whether a step changed anything, or could not submit, and the milliseconds until the next one is due. */
type Step = {
  readonly hasMoved: boolean
  readonly hasFailed?: true | undefined
  readonly wait?: number | undefined
}

/** Confirms what was sent, and submits what is queued; with nothing undecided, a write goes first. */
async function step(
  context: LaneContext,
  confirmer: Confirmer,
  isRunning: () => boolean,
): Promise<Step> {
  const isUndecided = confirmer.isUndecided()
  const confirm = async () => ({ hasMoved: confirmer.isWaiting() && (await confirmer.confirm()) })
  // A failed confirmation must not keep queued jobs from being submitted or refused.
  const confirmed = isUndecided ? await reportErrors(context, confirm, still) : still
  const submitted = await reportErrors(context, () => submitAll(context, confirmer, isRunning), {
    ...still,
    hasFailed: true,
  })
  const watched =
    isUndecided || submitted.hasMoved ? still : await reportErrors(context, confirm, still)
  const hasMoved = [confirmed, submitted, watched].some((it) => it.hasMoved)
  return { hasMoved, hasFailed: submitted.hasFailed, wait: submitted.wait }
}

const still: Step = { hasMoved: false }

async function submitAll(
  context: LaneContext,
  confirmer: Confirmer,
  isRunning: () => boolean,
): Promise<Step> {
  let hasMoved = false
  const { alone = (send) => send() } = context
  while (isRunning()) {
    const before = context.added()
    const { rows, isAll, wait } = await nextBatch(context, confirmer)
    if (rows.length === 0) return { hasMoved, wait }
    const failure = context.rivals.failure()
    await (failure === undefined
      ? alone(() => submit(context, confirmer, rows))
      : refuse(context, rows, failure))
    hasMoved = true
    if (isAll && context.added() === before) break
  }
  return { hasMoved }
}
