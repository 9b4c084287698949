import type { FailureCode } from '@heirloom/core'
import type { Hex } from 'viem'
import type { JobState } from '../../store/schema.ts'
import { type JobRow, resultOf } from './job-row.ts'

/** A job as logs and traces name it. */
export type LaneJob = {
  readonly id: string
  readonly operation: string
  readonly state: JobState
  /** The code of its failure, once it failed. */
  readonly code?: FailureCode | undefined
  /** Milliseconds since 1970. */
  readonly acceptedAt: number
  /** The id of the request that it came from; absent for a job of the server itself. */
  readonly requestId?: string | undefined
  /** The W3C trace context of that request, if it has one. */
  readonly traceparent?: string | undefined
}

/** A transaction of the lane, and the jobs that it carries: none if it fills a gap of nonces. */
export type LaneTransaction = {
  readonly txHash: Hex
  readonly nonce: number
  readonly jobs: readonly LaneJob[]
}

/** A transaction in a confirmed block. */
export type SettledTransaction = LaneTransaction & {
  readonly block: bigint
  /** The number of transactions that were signed for its nonce. */
  readonly attempts: number
  /** When the first of them was signed, in milliseconds since 1970. */
  readonly signedAt: number
}

/** A stuck transaction that stays as it is, with prices per unit of gas in wei. */
export type Unreplaced = LaneTransaction & {
  readonly kind: 'unreplaced'
  /** The price that the chain, or the node for a replacement, asks. */
  readonly needed: bigint
  /** The highest price that it may have. */
  readonly limit: bigint
  /** The failure of the limit that forbids more; absent where the price cap does. */
  readonly code?: FailureCode | undefined
}

/** The events of a lane, for metrics, logs and traces. Durations are in milliseconds. */
export type LaneEvent =
  | (LaneTransaction & { readonly kind: 'signed'; readonly waited: number })
  | (SettledTransaction & { readonly kind: 'settled'; readonly waited: number })
  | (LaneTransaction & { readonly kind: 'resent' | 'replaced' | 'cancelled' | 'lost' })
  | Unreplaced
  | { readonly kind: 'refused'; readonly jobs: readonly LaneJob[] }
  | { readonly kind: 'reorganised' }
  | { readonly kind: 'leads'; readonly leads: boolean }
  | { readonly kind: 'slots'; readonly open: number }
  | { readonly kind: 'head'; readonly number: bigint; readonly timestamp: bigint }
  | {
      readonly kind: 'trouble'
      readonly error: unknown
      /** The transaction that met it; absent where the whole lane did. */
      readonly on?: LaneTransaction | undefined
    }

/** Returns the jobs of rows. */
export const laneJobsOf = (rows: readonly JobRow[]): readonly LaneJob[] => rows.map(laneJobOf)

function laneJobOf(row: JobRow): LaneJob {
  const { id, operation, state, acceptedAt, requestId, traceparent } = row
  const result = state === 'failed' ? resultOf(row) : undefined
  return {
    id,
    operation,
    state,
    acceptedAt,
    ...(result?.kind === 'failed' && { code: result.failure.code }),
    requestId: requestId ?? undefined,
    traceparent: traceparent ?? undefined,
  }
}
