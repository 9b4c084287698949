import { setTimeout } from 'node:timers/promises'
import { Failure } from '@heirloom/core'

/** Runs tasks for accounts, only a few at a time. */
export type ContractQueue = <T>(account: string, task: () => Promise<T>) => Promise<T>

export declare namespace contractQueue {
  type Options = {
    /** The most tasks that run at the same time. */
    readonly concurrency: number
    /** The most tasks that wait, in all and for one account. */
    readonly maxWaiting: number
    readonly maxWaitingPerAccount: number
    /** The pause before a slot is free again, as a multiple of its task's time. */
    readonly rest: number
  }
}

/**
 * Returns a queue for contract calls, each of which may run until its gas is used up. With a `rest`
 * of 3, however many calls there are, they take at most a quarter of the time of each slot.
 *
 * @throws `service/busy` when too many tasks wait
 */
export function contractQueue(options: contractQueue.Options): ContractQueue {
  const { concurrency, rest } = options
  const starts: (() => void)[] = []
  const waitingOf = new Map<string, number>()
  let free = concurrency
  const leave = () => {
    const next = starts.shift()
    if (next === undefined) free += 1
    else next()
  }
  const enter = async (account: string) => {
    if (free > 0) {
      free -= 1
      return
    }
    requireRoom(options, starts.length, waitingOf.get(account) ?? 0)
    waitingOf.set(account, (waitingOf.get(account) ?? 0) + 1)
    await new Promise<void>((start) => starts.push(start))
    decrement(waitingOf, account)
  }
  return async (account, task) => {
    await enter(account)
    const began = performance.now()
    try {
      return await task()
    } finally {
      const took = performance.now() - began
      // Neither the caller nor a server that stops waits for the rest.
      if (rest === 0) leave()
      else setTimeout(took * rest, undefined, { ref: false }).then(leave)
    }
  }
}

function requireRoom(
  { maxWaiting, maxWaitingPerAccount }: contractQueue.Options,
  waiting: number,
  waitingOfAccount: number,
): void {
  if (waiting >= maxWaiting) throw new Failure('service/busy', { limit: maxWaiting })
  if (waitingOfAccount >= maxWaitingPerAccount) {
    throw new Failure('service/busy', { limit: maxWaitingPerAccount })
  }
}

function decrement(counts: Map<string, number>, account: string): void {
  const left = (counts.get(account) ?? 1) - 1
  if (left === 0) counts.delete(account)
  else counts.set(account, left)
}
