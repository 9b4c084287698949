import { setTimeout as pause } from 'node:timers/promises'
import type { Chain } from './chain-reader.ts'

/** Waits until it is worth looking at a chain again. */
export type Pacing = {
  /** Resolves when the chain may have changed, or somebody asks; sooner after a busy look. */
  readonly rest: (wasBusy: boolean) => Promise<void>
  /** Ends the present rest, or else the next one. */
  readonly wake: () => void
  /** Lets go of the chain, and ends all rest. */
  readonly end: () => void
}

/** How often a chain elsewhere is looked at, when something happens and when nothing does, in milliseconds. */
const [shortest, longest] = [250, 4000]

/** How long changes gather, in milliseconds: a look after each would slow the writes that make them. */
const gathering = 20

/** Returns the pace at which a chain is followed: a chain in this process tells when it changes. */
export function pacing(chain: Chain | URL): Pacing {
  let alarm = new AbortController()
  let idle = shortest
  let due: NodeJS.Timeout | undefined
  const wake = () => {
    clearTimeout(due)
    due = undefined
    alarm.abort()
  }
  const changed = () => {
    due ??= setTimeout(wake, gathering).unref()
  }
  const leave = chain instanceof URL ? undefined : chain.onState?.(changed)
  return {
    wake,
    rest: async (wasBusy) => {
      idle = wasBusy ? shortest : Math.min(longest, idle * 1.5)
      const { signal } = alarm
      await pause(idle, undefined, { ref: false, signal }).catch(() => undefined)
      if (signal.aborted) alarm = new AbortController()
    },
    end: () => {
      leave?.()
      wake()
    },
  }
}
