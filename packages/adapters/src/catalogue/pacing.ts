import { setTimeout as pause } from 'node:timers/promises'
import type { Chain } from './chain-reader.ts'

/** Waits until it is worth looking at a chain again. */
export type Pacing = {
  /** Resolves when the chain may have changed, or somebody asks; sooner after a busy look. */
  readonly rest: (wasBusy: boolean) => Promise<void>
  /** Ends the present rest. */
  readonly wake: () => void
}

/** How often a chain elsewhere is looked at, when something happens and when nothing does, in milliseconds. */
const [shortest, longest] = [250, 4000]

/** How often the version of a chain in this process is looked at, in milliseconds; it costs nothing. */
const glance = 20

/** Returns the pace at which a chain is followed. */
export function pacing(chain: Chain | URL): Pacing {
  let alarm = new AbortController()
  let idle = shortest
  let seen: number | undefined
  const version = chain instanceof URL ? undefined : chain.stateVersion?.bind(chain)
  const sleep = (milliseconds: number) =>
    pause(milliseconds, undefined, { ref: false, signal: alarm.signal }).catch(() => undefined)
  const untilChanged = async (look: () => number | undefined) => {
    while (look() === seen && !alarm.signal.aborted) await sleep(glance)
    seen = look()
  }
  return {
    wake: () => alarm.abort(),
    rest: async (wasBusy) => {
      idle = wasBusy ? shortest : Math.min(longest, idle * 1.5)
      if (version === undefined) await sleep(idle)
      else await untilChanged(version)
      if (alarm.signal.aborted) alarm = new AbortController()
    },
  }
}
