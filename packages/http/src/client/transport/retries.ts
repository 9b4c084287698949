import { HeirloomError, isHeirloomError } from '../heirloom-error.ts'

/** The clock, timers and random numbers of the client. */
export type Timers = {
  /** Returns the time in milliseconds since the Unix epoch. */
  readonly now: () => number
  /** Returns a random number, at least 0 and less than 1. */
  readonly random: () => number
  /** Resolves after a delay in milliseconds; rejects with the reason of the signal if it aborts. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** The clock, timers and random numbers of the platform. */
export const systemTimers: Timers = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, milliseconds)
      signal?.addEventListener('abort', stop, { once: true })
    }),
}

/** The first and the longest delay, in milliseconds. */
const [shortest, longest] = [250, 30_000]

/** Statuses that allow a retry: nothing was done, or the idempotency key finds what was done. */
const retryableStatuses = new Set([429, 502, 503, 504])

/** The state and the limits of the retries of a call. */
export type RetryState = {
  /** The retries so far. */
  readonly tries: number
  /** The most retries. */
  readonly limit: number
  readonly timers: Timers
  readonly signal?: AbortSignal | undefined
}

/**
 * Waits until a call may be retried.
 *
 * @throws the given error when a retry cannot help, `client/aborted`
 */
export async function waitBeforeRetry(error: unknown, state: RetryState): Promise<void> {
  const { tries, limit, timers, signal } = state
  const delay = tries < limit ? delayBefore(error, tries, timers) : undefined
  if (delay === undefined) throw error
  try {
    await timers.wait(delay, signal)
  } catch (cause) {
    throw abortedError(cause)
  }
}

/** Returns the error of an aborted call. */
export const abortedError = (cause: unknown): HeirloomError<'client/aborted'> =>
  new HeirloomError({
    code: 'client/aborted',
    facts: {},
    message: 'The call was aborted by its caller.',
    cause,
  })

/**
 * Returns the delay before the next retry in milliseconds, or `undefined` when a retry cannot help.
 * Every write has an idempotency key, so a retry after a lost response does not repeat it.
 */
function delayBefore(
  error: unknown,
  tries: number,
  { now, random }: Pick<Timers, 'now' | 'random'>,
): number | undefined {
  if (!isHeirloomError(error)) return undefined
  // The limit of the day does not reset before tomorrow.
  if (error.code.endsWith('/day-limit')) return undefined
  if (!error.retryable && !retryableStatuses.has(error.status ?? 0)) return undefined
  const serverDelay = error.retryAfter === undefined ? 0 : parseRetryAfter(error.retryAfter, now())
  // Such a delay is too long for the caller of this call.
  if (serverDelay > longest) return undefined
  const backoff = Math.min(longest, shortest * 2 ** tries)
  return serverDelay + backoff * (0.5 + random() / 2)
}

/** Returns the delay that a `Retry-After` header asks for, in milliseconds. */
function parseRetryAfter(retryAfter: string, now: number): number {
  const seconds = /^[0-9]+$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined
  const until = Date.parse(retryAfter) - now
  return Math.max(0, seconds ?? (Number.isNaN(until) ? 0 : until))
}
