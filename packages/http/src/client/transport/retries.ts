import { HeirloomError, isHeirloomError } from '../heirloom-error.ts'
import type { Timers } from './timers.ts'

/** The first delay and the longest one, in milliseconds. */
const [shortest, longest] = [250, 30_000]

/** What says that nothing was done, or that asking again finds what was done. */
const passing = new Set([429, 502, 503, 504])

/** How a call is tried again. */
export type Patience = {
  /** How often it was already. */
  readonly tries: number
  /** How often it may be. */
  readonly limit: number
  readonly timers: Timers
  readonly signal?: AbortSignal | undefined
}

/**
 * Waits until a call may be tried again.
 *
 * @throws the call's own error where that does not help, `client/aborted`
 */
export async function pause(error: unknown, patience: Patience): Promise<void> {
  const { tries, limit, timers, signal } = patience
  const delay = tries < limit ? delayBefore(error, tries, timers) : undefined
  if (delay === undefined) throw error
  try {
    await timers.wait(delay, signal)
  } catch (cause) {
    throw aborted(cause)
  }
}

/** Returns the error of a call that its caller ended. */
export const aborted = (cause: unknown): HeirloomError<'client/aborted'> =>
  new HeirloomError({
    code: 'client/aborted',
    facts: {},
    message: 'The call was ended by its caller.',
    cause,
  })

/**
 * Returns how long to wait before a call is tried again, in milliseconds, or `undefined` where that
 * does not help. Every write has a key, so that one whose answer was lost is not done twice.
 */
function delayBefore(
  error: unknown,
  tries: number,
  { now, random }: Pick<Timers, 'now' | 'random'>,
): number | undefined {
  if (!isHeirloomError(error)) return undefined
  // It passes, but not before tomorrow.
  if (error.code === 'wallet/day-limit' || error.code === 'api-key/day-limit') return undefined
  if (!error.retryable && !passing.has(error.status ?? 0)) return undefined
  const wanted = error.retryAfter === undefined ? 0 : wait(error.retryAfter, now())
  // Whoever asks for so much patience is not there for this call.
  if (wanted > longest) return undefined
  const backoff = Math.min(longest, shortest * 2 ** tries)
  return wanted + backoff * (0.5 + random() / 2)
}

function wait(retryAfter: string, now: number): number {
  const seconds = /^[0-9]+$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined
  const until = Date.parse(retryAfter) - now
  return Math.max(0, seconds ?? (Number.isNaN(until) ? 0 : until))
}
