import { setTimeout } from 'node:timers/promises'
import { Failure } from '@heirloom/core'

/** Runs tasks for accounts, few at once. */
export type ContractQueue = <T>(account: string, task: () => Promise<T>) => Promise<T>

export declare namespace contractQueue {
  type Options = {
    /** How many tasks run at once. */
    readonly atOnce: number
    /** How many tasks may wait, in all and for one account. */
    readonly waiting: number
    readonly waitingEach: number
    /** How long a place stays empty after a task, as a multiple of what the task took. */
    readonly rest: number
  }
}

/**
 * Returns a queue for questions to contracts, each of which may take as long as its gas lasts. With
 * a rest of 3, the questions together take at most a quarter of the time of each place, however
 * many there are.
 *
 * @throws `service/busy` when too many wait
 */
export function contractQueue(options: contractQueue.Options): ContractQueue {
  const { atOnce, rest } = options
  const starts: (() => void)[] = []
  const waitingOf = new Map<string, number>()
  let free = atOnce
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
    refuseFull(options, starts.length, waitingOf.get(account) ?? 0)
    waitingOf.set(account, (waitingOf.get(account) ?? 0) + 1)
    await new Promise<void>((start) => starts.push(start))
    forgetOne(waitingOf, account)
  }
  return async (account, task) => {
    await enter(account)
    const began = performance.now()
    try {
      return await task()
    } finally {
      const took = performance.now() - began
      // Its caller does not wait for the rest, and a server that stops does not either.
      if (rest === 0) leave()
      else setTimeout(took * rest, undefined, { ref: false }).then(leave)
    }
  }
}

function refuseFull(
  { waiting, waitingEach }: contractQueue.Options,
  all: number,
  ofAccount: number,
): void {
  if (all >= waiting) throw new Failure('service/busy', { limit: waiting })
  if (ofAccount >= waitingEach) throw new Failure('service/busy', { limit: waitingEach })
}

function forgetOne(counts: Map<string, number>, account: string): void {
  const left = (counts.get(account) ?? 1) - 1
  if (left === 0) counts.delete(account)
  else counts.set(account, left)
}
