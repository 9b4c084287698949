import type { LocalAccount, PublicClient } from 'viem'
import type { LaneId } from '../../store/schema.ts'
import type { Lease, Store } from '../../store/store.ts'
import type { Chain } from '../connection.ts'
import type { KnownChain } from './answers/known-chain.ts'
import type { Callers } from './callers.ts'
import type { LastSpent, SpendLimits } from './fees/spend-limit.ts'
import type { Inbox } from './inbox.ts'
import type { Call } from './job.ts'
import type { LaneEvent, LaneJob } from './lane-event.ts'
import type { RivalWatch } from './rival-watch.ts'

/** The settings of a lane. Durations are in milliseconds. */
export type LaneSettings = {
  readonly limits: SpendLimits
  /** The blocks a transaction needs before its jobs are done, its own included. */
  readonly confirmations: number
  /** The greatest depth of a reorganisation, in blocks; 0 on a chain that has none. */
  readonly reorgDepth: number
  /** The most transactions that may be unmined at the same time. */
  readonly window: number
  /** The age at which the first unmined transaction is replaced. */
  readonly stuckAfter: number
  /** The age at which it is cancelled instead. */
  readonly cancelAfter: number
  /** The age at which it is cancelled if only a price above its bounds would get it mined. */
  readonly cancelDearAfter: number
  /** The interval at which the bytes of an unmined transaction are sent again. */
  readonly resendAfter: number
  /** The time for which an unsigned job is retried while the chain does not answer. */
  readonly outageTimeout: number
  /** The longest time that a caller waits for a write. */
  readonly callerTimeout: number
  /** Whether the lane stops when another program writes to the contracts with the wallet. */
  readonly isAlone: boolean
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number
  readonly observe: (event: LaneEvent) => void
}

/** The bounds of a lane whose chain is in this process; absent for any other. */
export type LaneBounds = {
  /** Returns the gas limit of a job that is not estimated; `undefined` for one that is. */
  readonly knownGas?:
    | ((job: Call & Pick<LaneJob, 'operation'>) => Promise<bigint | undefined>)
    | undefined
  /** Runs a task while no transaction of a client outside this process is mined. */
  readonly alone?: Chain['alone']
}

/** All that the leader of a lane needs. */
export type LaneContext = LaneSettings &
  LaneBounds & {
    readonly client: PublicClient
    readonly wallet: LocalAccount
    readonly chainId: number
    readonly store: Store
    readonly lane: LaneId
    readonly lease: Lease
    readonly callers: Callers
    readonly known: KnownChain
    readonly rivals: RivalWatch
    readonly memory: LaneMemory
    readonly inbox: Inbox | undefined
    /** Returns the number of jobs that callers of this process added so far. */
    readonly added: () => number
  }

/** The last writes of the leader. A commit says when the store has something else. */
export type LaneMemory = LastSpent & {
  nextNonce?: number | undefined
}
