import { expect, test } from 'vitest'
import { laneChanges } from './lane-changes.ts'

test('a notification wakes the lane that it names, on any chain, and one without a name wakes all', () => {
  const listeners = new Set<(lane?: string) => void>()
  const subscribe = (listener: (lane?: string) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const wallets = ['0xAbc1', '0xabc2', '0xabc3'] as const
  const woken: string[] = []
  const ends = wallets.map((it) => laneChanges({ subscribe }, it)(() => void woken.push(it)))
  const wake = (lane?: string) => {
    woken.length = 0
    for (const listener of listeners) listener(lane)
    return [...woken]
  }
  expect(wake('1:0xfe:0xabc1')).toEqual(['0xAbc1'])
  expect(wake('5:0xff:0xabc2')).toEqual(['0xabc2'])
  expect(wake('1:0xfe:0xabc')).toEqual([])
  expect(wake()).toEqual(wallets)
  for (const end of ends) end()
  expect(wake()).toEqual([])
})
