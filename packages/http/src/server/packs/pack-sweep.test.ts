import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { packSweep } from './collect-packs.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-23T10:20:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)

test('sweeps at each full hour, also after a sweep that failed, until it is closed', async () => {
  const times: string[] = []
  const troubles: unknown[] = []
  const sweeps = packSweep({
    collect: async () => {
      times.push(new Date().toISOString().slice(11, 16))
      if (times.length === 1) throw new Error('the chain does not answer')
      return { removed: 0, unsure: [] }
    },
    onTrouble: (error) => void troubles.push(error),
    now: () => Date.now(),
  })
  await minutes(39)
  expect(times).toEqual([])
  await minutes(1)
  expect(times).toEqual(['11:00'])
  expect(troubles).toHaveLength(1)
  await minutes(60)
  expect(times).toEqual(['11:00', '12:00'])
  await sweeps.close()
  await minutes(120)
  expect(times).toHaveLength(2)
})

test('ends the sweep that runs when it is closed', async () => {
  const ended: boolean[] = []
  const sweeps = packSweep({
    collect: async (closing) => {
      await new Promise((resolve) => closing.addEventListener('abort', resolve))
      ended.push(true)
      return { removed: 0, unsure: [] }
    },
    onTrouble: () => undefined,
    now: () => Date.now(),
  })
  await minutes(40)
  await sweeps.close()
  expect(ended).toEqual([true])
})
