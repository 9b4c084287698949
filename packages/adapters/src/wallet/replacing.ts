import { Failure } from '@heirloom/core'
import type { Performer, WalletAct } from './performer.ts'
import { newestHash, type OnReplace, type Sent } from './sender.ts'
import type { Reservation } from './spend-limits.ts'
import { abortedError } from './wallet-error.ts'

/** The time in which a mint is sent, in milliseconds: the server removes what nobody mints. */
export const mintingTime = 600_000

export declare namespace openReplacing {
  type Act = {
    readonly act: WalletAct
    readonly sent: Sent
    /** The time of the first signature, in milliseconds since 1970. */
    readonly signedAt: number
    /** The most that its transactions so far can cost, in wei. */
    readonly cost: bigint
    readonly signal?: AbortSignal | undefined
    /** Called before a replacement leaves; one that throws lets it not leave. */
    readonly onReplaced?: ((sent: Sent) => void) | undefined
  }
}

/** The replacements of one act, and what they may cost more than it. */
export type Replacing = {
  readonly onReplace: OnReplace
  /** Ends the act, for which the chain took so much more than was reserved before. */
  readonly settle: (beyond: bigint) => void
}

/**
 * Opens the replacements of an act: each is counted and stored before it leaves. An act that its caller
 * aborted is not replaced, nor a mint whose memory the server may have removed.
 */
export function openReplacing(
  { spending, now }: Pick<Performer, 'spending' | 'now'>,
  { act, sent, signedAt, cost, signal, onReplaced }: openReplacing.Act,
): Replacing {
  const raises: Reservation[] = []
  let [current, before] = [sent, cost]
  const requireRequested = () => {
    if (signal?.aborted) throw abortedError(signal.reason)
    if (act.kind !== 'mint' || now() - signedAt <= mintingTime) return
    throw new Failure('transaction/unconfirmed', { txHash: newestHash(current) })
  }
  return {
    onReplace: (replacement, after) => {
      requireRequested()
      const next = { ...current, replacements: [...(current.replacements ?? []), replacement] }
      const reservation = spending.native.raise({ before, after })
      reserveFor(reservation, () => onReplaced?.(next))
      raises.push(reservation)
      current = next
      if (after > before) before = after
    },
    settle: (beyond) => {
      for (const [index, raise] of raises.entries()) raise.settle(index === 0 ? beyond : 0n)
    },
  }
}

/** Runs what has to succeed before a replacement leaves; what was reserved is free when it fails. */
function reserveFor(reservation: Reservation, act: () => void): void {
  try {
    act()
  } catch (error) {
    reservation.settle(0n)
    throw error
  }
}
