import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Problem } from '../api/problem.ts'
import {
  type OrderSlot,
  recordSignature,
  releaseSlot,
  reserveSlot as reserveOn,
  validity,
} from './sign-order.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  // The one storage that all tabs of a browser share.
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
})
afterEach(() => {
  stored.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** The number of the next order; each slot that is made anew has another one here. */
let next = 0
const reserveSlot = (key: string, terms = '5') => {
  next += 1
  return reserveOn(key, terms, `0x${next.toString(16).padStart(64, '0')}`)
}

const now = () => Math.floor(Date.now() / 1000)

const reserve = (): OrderSlot | undefined => {
  try {
    return reserveSlot('rent 7')
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

test('no two orders of an act can be carried out at the same time, whenever it is tried again', () => {
  const step = fc.integer({ min: 0, max: 400 })
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) => {
      stored.clear()
      const made = new Map<string, { readonly from: number; readonly to: number }>()
      for (const seconds of steps) {
        vi.advanceTimersByTime(seconds * 1000)
        const slot = reserve()
        if (slot === undefined) continue
        expect(slot.deadline).toBeGreaterThanOrEqual(now() + 120)
        const { from } = made.get(slot.salt) ?? { from: now() }
        made.set(slot.salt, { from, to: slot.deadline })
      }
      const orders = [...made.values()]
      for (const [at, { from }] of orders.entries()) {
        expect(orders.slice(0, at).every(({ to }) => to < from)).toBe(true)
      }
    }),
  )
})

test('an order whose time is nearly over is waited for, and the next one is another', () => {
  const first = reserveSlot('rent 7')
  vi.advanceTimersByTime((validity - 119) * 1000)
  expect(() => reserveSlot('rent 7')).toThrow('may still be carried out, for 120 seconds')
  expect(reserveSlot('rent 8').salt).not.toBe(first.salt)
  vi.advanceTimersByTime(120_000)
  expect(reserveSlot('rent 7').salt).not.toBe(first.salt)
})

test('an act that was carried out leaves room for the next one at once', () => {
  const first = reserveSlot('rent 7')
  expect(reserveSlot('rent 7')).toEqual(first)
  releaseSlot('rent 7')
  expect(reserveSlot('rent 7').salt).not.toBe(first.salt)
})

test('an order that was signed is not signed on other terms, and one that was not may be', () => {
  const first = reserveSlot('rent 7')
  expect(reserveSlot('rent 7', '4')).toEqual(first)
  recordSignature('rent 7', '4')
  expect(reserveSlot('rent 7', '4').salt).toBe(first.salt)
  expect(() => reserveSlot('rent 7', '5')).toThrow('may still be carried out')
  releaseSlot('rent 7')
  expect(reserveSlot('rent 7', '5').salt).not.toBe(first.salt)
})
