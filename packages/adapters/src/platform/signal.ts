/** A wake-up for one waiting task. A notification while nobody waits ends the next wait at once. */
export type Signal = {
  readonly notify: () => void
  /** Waits for a notification since the last wait, or for another end; returns which came. */
  readonly wait: (ends?: WaitEnds) => Promise<'notified' | 'over'>
}

/** The ends of a wait besides a notification. */
export type WaitEnds = {
  /** The longest wait, in milliseconds; without a limit when absent. */
  readonly milliseconds?: number | undefined
  /** Ends the wait when it is aborted. */
  readonly stop?: AbortSignal
  /** Whether the wait keeps the process alive; by default it does not. */
  readonly keepsProcess?: boolean
}

/** Calls `end` after so many milliseconds; returns a function that cancels the call. */
export type Timer = (
  milliseconds: number | undefined,
  end: () => void,
  keepsProcess: boolean,
) => () => void

/** Returns a signal without a notification. */
export function signal(startTimer: Timer = systemTimer): Signal {
  let isNotified = false
  let wake: (() => void) | undefined
  return {
    notify: () => {
      isNotified = true
      wake?.()
    },
    wait: ({ milliseconds, stop, keepsProcess = false } = {}) =>
      new Promise((resolve) => {
        const end = () => {
          cancel()
          stop?.removeEventListener('abort', end)
          wake = undefined
          resolve(isNotified ? 'notified' : 'over')
          isNotified = false
        }
        const cancel = startTimer(milliseconds, end, keepsProcess)
        stop?.addEventListener('abort', end)
        wake = end
        if (isNotified || stop?.aborted) end()
      }),
  }
}

/** The longest delay of a timer, in milliseconds; it stands for "without a limit". */
const longestDelay = 2 ** 31 - 1

const systemTimer: Timer = (milliseconds, end, keepsProcess) => {
  const timer = setTimeout(end, milliseconds ?? longestDelay)
  if (!keepsProcess) timer.unref()
  return () => clearTimeout(timer)
}
