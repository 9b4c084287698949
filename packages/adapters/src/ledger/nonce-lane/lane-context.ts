import type { LocalAccount, PublicClient } from 'viem'
import type { LaneId } from '../../job-store/schema.ts'
import type { Limits } from './spend-limit.ts'
import type { Lease, Store } from '../../job-store/job-store.ts'
import type { Waiting } from './callers.ts'

/** What happens in a lane, for whoever counts. Durations in milliseconds. */
export type LaneEvent =
  | { readonly kind: 'signed' | 'settled'; readonly jobs: number; readonly waited: number }
  | { readonly kind: 'refused'; readonly jobs: number }
  | { readonly kind: 'resent' | 'replaced' | 'cancelled' | 'lost' | 'reorganised' }
  | { readonly kind: 'leads'; readonly leads: boolean }
  | { readonly kind: 'slots'; readonly open: number }
  | { readonly kind: 'head'; readonly number: bigint; readonly timestamp: bigint }
  | { readonly kind: 'trouble'; readonly error: unknown }

/** How a lane works. */
export type LaneSettings = {
  readonly limits: Limits
  /** How many blocks a transaction is in before its jobs are done, its own included. */
  readonly confirmations: number
  /** How many blocks back a reorganisation is looked for; 0 on a chain that has none. */
  readonly reorgDepth: number
  /** How many transactions may be unmined at once. */
  readonly window: number
  /** How long the first unmined transaction stays as it is before it is replaced, in milliseconds. */
  readonly stuckAfter: number
  /** How long until it is cancelled instead, in milliseconds. */
  readonly cancelAfter: number
  /** How long a transaction stays unseen before the same bytes are sent again, in milliseconds. */
  readonly resendAfter: number
  /** How long a job that cannot be tried out, because the chain does not answer, is tried again, in milliseconds. */
  readonly outage: number
  /** How long a caller waits for a write, in milliseconds. */
  readonly patience: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly observe: (event: LaneEvent) => void
}

/** All that is needed to lead a lane. */
export type Crew = LaneSettings & {
  readonly client: PublicClient
  readonly wallet: LocalAccount
  readonly chainId: number
  readonly store: Store
  readonly lane: LaneId
  readonly lease: Lease
  readonly jobs: Waiting
}
