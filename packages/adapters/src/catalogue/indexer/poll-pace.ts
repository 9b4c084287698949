import { signal } from '../../platform/signal.ts'
import type { Chain } from './chain-reader.ts'

/** The pauses between two reads of a chain. */
export type PollPace = {
  /** Resolves when the chain may have changed or `wake` is called; sooner after a busy read. */
  readonly rest: (wasBusy: boolean) => Promise<void>
  /** Ends the current pause, or the next one when there is none. */
  readonly wake: () => void
  /** Unsubscribes from the chain and ends the current pause. */
  readonly end: () => void
}

/** The pauses between reads of a remote chain, in milliseconds: when it is busy, and when it is idle. */
const [shortest, longest] = [250, 4000]

/** The time to collect changes, in milliseconds: a read after each would slow down the writers. */
const debounce = 20

/** Returns the pace of reading a chain; a chain in this process reports its changes itself. */
export function pollPace(chain: Chain | URL): PollPace {
  const wakeUp = signal()
  let idle = shortest
  let pending: NodeJS.Timeout | undefined
  const wake = () => {
    clearTimeout(pending)
    pending = undefined
    wakeUp.notify()
  }
  const onChange = () => {
    pending ??= setTimeout(wake, debounce).unref()
  }
  const unsubscribe = chain instanceof URL ? undefined : chain.onState?.(onChange)
  return {
    wake,
    rest: async (wasBusy) => {
      idle = wasBusy ? shortest : Math.min(longest, idle * 1.5)
      await wakeUp.wait({ milliseconds: idle })
    },
    end: () => {
      unsubscribe?.()
      wake()
    },
  }
}
