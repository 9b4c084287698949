/** Lets one waiter sleep until it is woken. */
export type Alarm = {
  readonly ring: () => void
  /** Returns when somebody rang since the last wait, or after `milliseconds`; tells which. */
  wait(milliseconds: number | undefined, keepsProcess: boolean): Promise<'rung' | 'late'>
}

/** Returns an alarm that nobody has rung yet. */
export function alarm(): Alarm {
  let rung = false
  let wake: (() => void) | undefined
  return {
    ring: () => {
      rung = true
      wake?.()
    },
    wait: (milliseconds, keepsProcess) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          wake = undefined
          resolve(rung ? 'rung' : 'late')
          rung = false
        }
        // The longest delay that a timer takes; a waiter without a time is woken by a ring.
        const timer = setTimeout(end, milliseconds ?? 2 ** 31 - 1)
        if (!keepsProcess) timer.unref()
        wake = end
        if (rung) end()
      }),
  }
}
