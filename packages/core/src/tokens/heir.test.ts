import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isFailure } from '../failure.ts'
import { account } from '../values/hex.ts'
import { day, instant } from '../values/time.ts'
import {
  earliestTakeover,
  type HeirPlan,
  heirDayLimits,
  heirDays,
  heirStateOf,
  silentAt,
  takeoverAt,
} from './heir.ts'

const plan: HeirPlan = {
  account: account(`0x${'a1'.repeat(20)}`),
  heir: account(`0x${'b2'.repeat(20)}`),
  silenceDays: 30,
  noticeDays: 40,
  lastSign: instant(1_000),
  announcedAt: undefined,
}
const after = (days: number, more = 0) => instant(1_000 + days * day + more)

describe('a plan', () => {
  test('goes from a sign of life over silence and announcement to the takeover', () => {
    expect(heirStateOf(plan, after(0))).toBe('active')
    expect(heirStateOf(plan, after(30, -1))).toBe('active')
    expect(heirStateOf(plan, after(30))).toBe('silent')
    const announced = { ...plan, announcedAt: after(31) }
    expect(heirStateOf(announced, after(71, -1))).toBe('announced')
    expect(heirStateOf(announced, after(71))).toBe('due')
  })

  test('tells the earliest takeover', () => {
    expect(earliestTakeover(plan, after(0))).toBe(after(70))
    expect(earliestTakeover(plan, after(50))).toBe(after(90))
    expect(earliestTakeover({ ...plan, announcedAt: after(31) }, after(99))).toBe(after(71))
  })
})

const days = fc.integer({ min: heirDayLimits.least, max: heirDayLimits.most })
const time = fc.integer({ min: 1, max: 4e12 }).map((it) => instant(it))
const anyPlan = fc
  .record({ silenceDays: days, noticeDays: days, lastSign: time, quiet: fc.nat(9 * 365 * day) })
  .chain(({ quiet, ...it }) => {
    const silent = { ...plan, ...it }
    const announcedAt = instant(silentAt(silent) + quiet)
    return fc.constantFrom<HeirPlan>(silent, { ...silent, announcedAt })
  })

test('no tokens move before the silence and the notice have passed', () => {
  fc.assert(
    fc.property(anyPlan, time, (it, now) => {
      fc.pre(heirStateOf(it, now) === 'due')
      expect(now).toBeGreaterThanOrEqual(it.lastSign + (it.silenceDays + it.noticeDays) * day)
    }),
  )
})

test('a sign of life makes an account active again', () => {
  fc.assert(
    fc.property(anyPlan, time, (it, now) => {
      const alive = { ...it, lastSign: now, announcedAt: undefined }
      expect(heirStateOf(alive, now)).toBe('active')
      expect(takeoverAt(alive)).toBeUndefined()
    }),
  )
})

test('states come in their order as time passes', () => {
  const order = (it: HeirPlan, now: number) =>
    ['active', 'silent', 'announced', 'due'].indexOf(heirStateOf(it, instant(now)))
  fc.assert(
    fc.property(anyPlan, time, fc.nat(20 * 365 * day), (it, now, passed) => {
      expect(order(it, now + passed)).toBeGreaterThanOrEqual(order(it, now))
    }),
  )
})

test('an heir who announces as soon as possible takes over at the earliest time told before', () => {
  fc.assert(
    fc.property(anyPlan, time, (it, now) => {
      const silent = { ...it, announcedAt: undefined }
      const earliest = earliestTakeover(silent, now)
      const announcedAt = instant(Math.max(now, silentAt(silent)))
      const announced = { ...silent, announcedAt }
      expect(takeoverAt(announced)).toBe(earliest)
      expect(heirStateOf(announced, earliest)).toBe('due')
      expect(heirStateOf(announced, instant(earliest - 1))).toBe('announced')
    }),
  )
})

test('refuses days that the contract refuses', () => {
  for (const wrong of [0, 29, 3651, 30.5, Number.NaN]) {
    expect(codeOf(() => heirDays(wrong))).toBe('heir/bad-delay')
  }
  fc.assert(fc.property(days, (it) => heirDays(it) === it))
})

function codeOf(call: () => unknown): string | undefined {
  try {
    call()
  } catch (error) {
    return isFailure(error) ? error.code : 'another error'
  }
  return undefined
}
