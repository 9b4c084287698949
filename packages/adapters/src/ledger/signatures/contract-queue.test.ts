import { setImmediate } from 'node:timers/promises'
import { isFailure } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { contractQueue } from './contract-queue.ts'

const options = { atOnce: 2, waiting: 4, waitingEach: 2, rest: 0 }

/** Returns a queue, and how to put tasks into it that last until they are ended. */
function opened(more: Partial<contractQueue.Options> = {}) {
  const queue = contractQueue({ ...options, ...more })
  const ends: (() => void)[] = []
  let running = 0
  let most = 0
  const add = (account: string) => {
    const done = queue(account, async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((end) => ends.push(end))
      running -= 1
      return account
    })
    return done.catch((error: unknown) => (isFailure(error) ? error.code : error))
  }
  const endAll = async () => {
    while (running > 0) {
      ends.shift()?.()
      await setImmediate()
    }
  }
  return { queue, add, endAll, most: () => most }
}

describe('a queue', () => {
  test('runs few at once, and all that it took', async () => {
    const { add, endAll, most } = opened()
    const all = ['a', 'b', 'a', 'b', 'c', 'd'].map(add)
    await setImmediate()
    await endAll()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'a', 'b', 'c', 'd'])
    expect(most()).toBe(2)
  })

  test('refuses what is too much in all, and for one account', async () => {
    const { add, endAll } = opened()
    const all = ['a', 'a', 'a', 'a', 'a', 'b', 'c', 'd'].map(add)
    await setImmediate()
    await endAll()
    const busy = 'service/busy'
    expect(await Promise.all(all)).toEqual(['a', 'a', 'a', 'a', busy, 'b', 'c', busy])
  })

  test('goes on after a task that failed', async () => {
    const { queue } = opened({ atOnce: 1 })
    const failing = queue('a', () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(await queue('a', async () => 1)).toBe(1)
  })

  test('rests after a task for a multiple of its time', async () => {
    const { queue } = opened({ atOnce: 1, rest: 3 })
    const busy = async () => {
      const began = performance.now()
      while (performance.now() < began + 20);
    }
    const began = performance.now()
    await Promise.all([queue('a', busy), queue('b', busy)])
    // A timer may fire a millisecond early.
    expect(performance.now() - began).toBeGreaterThanOrEqual(98)
  })
})
