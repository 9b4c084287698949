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

/**
 * The time to collect changes, in milliseconds: after a quiet while, and in a row of changes. A read
 * after each would slow down the writers; who waits for one wakes it.
 */
const collecting = { first: 20, further: 200 }

/** Returns the pace of reading a chain; a chain in this process reports its changes itself. */
export function pollPace(chain: Chain | URL): PollPace {
  const wakeUp = signal()
  let idle = shortest
  let collect = collecting.first
  let pending: NodeJS.Timeout | undefined
  const wake = () => {
    clearTimeout(pending)
    pending = undefined
    wakeUp.notify()
  }
  const onChange = () => {
    pending ??= setTimeout(wake, collect).unref()
  }
  const unsubscribe = chain instanceof URL ? undefined : chain.onState?.(onChange)
  return {
    wake,
    rest: async (wasBusy) => {
      idle = wasBusy ? shortest : Math.min(longest, idle * 1.5)
      collect = wasBusy ? collecting.further : collecting.first
      await wakeUp.wait({ milliseconds: idle })
    },
    end: () => {
      unsubscribe?.()
      wake()
    },
  }
}
