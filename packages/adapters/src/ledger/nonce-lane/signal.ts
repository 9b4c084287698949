/** A wake-up for one waiting task. */
export type Signal = {
  readonly notify: () => void
  /**
   * Waits for a notification since the last wait, or for `milliseconds`, and returns which came.
   * Without `keepsProcess` the wait does not keep the process alive.
   */
  wait(milliseconds: number | undefined, keepsProcess: boolean): Promise<'notified' | 'timed out'>
}

/** Returns a signal without a notification. */
export function signal(): Signal {
  let isNotified = false
  let wake: (() => void) | undefined
  return {
    notify: () => {
      isNotified = true
      wake?.()
    },
    wait: (milliseconds, keepsProcess) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          wake = undefined
          resolve(isNotified ? 'notified' : 'timed out')
          isNotified = false
        }
        // Without a time, the longest delay of a timer stands for "until a notification".
        const timer = setTimeout(end, milliseconds ?? 2 ** 31 - 1)
        if (!keepsProcess) timer.unref()
        wake = end
        if (isNotified) end()
      }),
  }
}
