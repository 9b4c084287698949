import { setImmediate } from 'node:timers/promises'
import { account, isFailure } from '@heirloom/core'
import type { PublicClient } from 'viem'
import { describe, expect, test } from 'vitest'
import { contractQueue } from './contract-queue.ts'
import { checkedTwice, creatorSignatureCheck } from './creator-signature-check.ts'

const options = { concurrency: 2, maxWaiting: 4, maxWaitingPerAccount: 2, rest: 0 }

/** Opens a queue and returns it with functions to add tasks and to end them. */
function openQueue(overrides: Partial<contractQueue.Options> = {}) {
  const queue = contractQueue({ ...options, ...overrides })
  const ends: (() => void)[] = []
  let running = 0
  let mostRunning = 0
  const add = (account: string) => {
    const done = queue(account, async () => {
      running += 1
      mostRunning = Math.max(mostRunning, running)
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
  return { queue, add, endAll, mostRunning: () => mostRunning }
}

describe('a contract queue', () => {
  test('runs only a few tasks at a time, and every task it accepts', async () => {
    const { add, endAll, mostRunning } = openQueue()
    const all = ['a', 'b', 'a', 'b', 'c', 'd'].map(add)
    await setImmediate()
    await endAll()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'a', 'b', 'c', 'd'])
    expect(mostRunning()).toBe(2)
  })

  test('refuses tasks beyond the limits in all and for one account', async () => {
    const { add, endAll } = openQueue()
    const all = ['a', 'a', 'a', 'a', 'a', 'b', 'c', 'd'].map(add)
    await setImmediate()
    await endAll()
    const busy = 'service/busy'
    expect(await Promise.all(all)).toEqual(['a', 'a', 'a', 'a', busy, 'b', 'c', busy])
  })

  test('continues after a task that failed', async () => {
    const { queue } = openQueue({ concurrency: 1 })
    const failing = queue('a', () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(await queue('a', async () => 1)).toBe(1)
  })

  test('pauses after a task for a multiple of its time', async () => {
    const { queue } = openQueue({ concurrency: 1, rest: 3 })
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

test('the contract of an owner is asked while those of strangers take all of their room', async () => {
  const isSigned = creatorSignatureCheck({
    client: { getCode: () => new Promise(() => {}) } as unknown as PublicClient,
    keccak: () => new Uint8Array(32),
    isLocal: true,
    isSignedByKey: async () => undefined,
    isSignedByContract: async () => true,
  })
  const ask = (digit: number, rank?: 'owner') =>
    isSigned(
      { account: account(`0x${`${digit}`.repeat(40)}`), message: 'm', signature: '0x12' },
      rank,
    )
  void Promise.allSettled([0, 1, 2, 3, 4, 5, 6, 7, 8].map((it) => ask(it)))
  await setImmediate()
  await expect(ask(9)).rejects.toMatchObject({ code: 'service/busy' })
  expect(await ask(9, 'owner')).toBe(true)
})

test('two nodes say no to an owner before its grant has ended, and are believed only where they agree', async () => {
  const statement = {
    account: account(`0x${'1'.repeat(40)}`),
    message: 'text',
    signature: '0x',
  } as const
  const says = (answer: boolean) => async () => answer
  const ask = (one: boolean, other: boolean, rank?: 'owner') =>
    checkedTwice(says(one), says(other))(statement, rank).catch((error: unknown) =>
      isFailure(error) ? error.code : error,
    )
  expect(await ask(true, false, 'owner')).toBe(true)
  expect(await ask(false, false, 'owner')).toBe(false)
  expect(await ask(false, true, 'owner')).toBe('ledger/unavailable')
  // Nobody has a stranger's contract run twice.
  expect(await ask(false, true)).toBe(false)
})
