import { arbitraryAccount, arbitraryInstant } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Instant } from '../values/branded.ts'
import { tokenId } from '../values/decimal.ts'
import { account, digest, hash } from '../values/hex.ts'
import { instant } from '../values/time.ts'
import { type Access, admit, challenge, refuseStale } from './access.ts'
import { isActive, maxRentalDays, rentalDays } from './listing.ts'

const owner = account('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
const reader = account('0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359')
const id = tokenId(42n)
const now = instant(1_700_000_000_500)
const access: Access = {
  owner,
  expiresAt: undefined,
  contentHash: hash(`0x${'1'.repeat(64)}`),
  digest: digest(`0x${'2'.repeat(64)}`),
  asOf: now,
  source: { tokenId: id, creator: owner },
}

describe('challenge', () => {
  test('returns the text of the interface', () => {
    expect(challenge(id, { account: owner, timestamp: 1_700_000_000 })).toBe(
      `service:access:42:${owner}:1700000000`,
    )
  })
})

describe('refuseStale', () => {
  test.each([0, 119, 120, -119, -120])('accepts a proof %d seconds old', (age) => {
    expect(() => refuseStale({ timestamp: 1_700_000_000 - age }, now)).not.toThrow()
  })

  test.each([121, -121, 1_700_000_000, 1_800_000_000, -Number.MAX_SAFE_INTEGER])(
    'refuses a proof %d seconds old with `proof/stale`',
    (age) => {
      expect(() => refuseStale({ timestamp: 1_700_000_000 - age }, now)).toThrow(
        withCode('proof/stale'),
      )
    },
  )

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -5, 1_700_000_000.5, 1e300])(
    'refuses a proof dated %d with `proof/stale`',
    (timestamp) => {
      expect(() => refuseStale({ timestamp }, now)).toThrow(withCode('proof/stale'))
    },
  )

  test('compares whole seconds only', () =>
    fc.assert(
      fc.property(
        arbitraryInstant,
        fc.nat({ max: 999 }),
        fc.integer({ min: -200, max: 200 }),
        (start, ms, age) => {
          const second = instant(start - (start % 1000) + 1_000_000)
          const moment = instant(second + ms)
          const isFresh = succeeds(() => refuseStale({ timestamp: second / 1000 - age }, moment))
          expect(isFresh).toBe(Math.abs(age) <= 120)
        },
      ),
    ))
})

describe('isActive', () => {
  test('returns false from the end on', () => {
    expect(isActive(instant(1000), instant(999))).toBe(true)
    expect(isActive(instant(1000), instant(1000))).toBe(false)
    expect(isActive(undefined, instant(0))).toBe(false)
  })
})

describe('rentalDays', () => {
  test('accepts 1 to 365 whole days and refuses others with `rental/bad-duration`', () => {
    for (const days of [1, maxRentalDays]) expect(rentalDays(days)).toBe(days)
    for (const days of [0, 366, -1, 1.5, Number.NaN]) {
      expect(() => rentalDays(days)).toThrow(
        expect.objectContaining({ code: 'rental/bad-duration', facts: { days, limit: 365 } }),
      )
    }
  })
})

describe('admit', () => {
  test('admits the owner in any letter case', () => {
    expect(() => admit(access, id, owner, now)).not.toThrow()
    expect(() => admit(access, id, account(owner.toLowerCase()), now)).not.toThrow()
  })

  test('admits a renter until the later of the two times', () => {
    const rented = (left: number, behind: number) => ({
      ...access,
      expiresAt: instant(now + left),
      asOf: instant(now - behind),
    })
    expect(() => admit(rented(1, 0), id, reader, now)).not.toThrow()
    expect(() => admit(rented(0, 0), id, reader, now)).toThrow(withCode('access/denied'))
    expect(() => admit(rented(0, 5000), id, reader, now)).toThrow(withCode('access/denied'))
    expect(() => admit(rented(1, -1), id, reader, now)).toThrow(withCode('access/denied'))
  })

  test('admits exactly owners and active renters', () =>
    fc.assert(
      fc.property(
        fc.option(arbitraryInstant, { nil: undefined }),
        arbitraryInstant,
        arbitraryInstant,
        arbitraryAccount,
        (expiresAt, asOf, clock, other) => {
          fc.pre(other !== owner)
          const isAdmitted = succeeds(() => admit({ ...access, expiresAt, asOf }, id, other, clock))
          const time = Math.max(asOf, clock) as Instant
          expect(isAdmitted).toBe(expiresAt !== undefined && expiresAt > time)
        },
      ),
    ))
})

function succeeds(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

function withCode(code: string) {
  return expect.objectContaining({ code })
}
