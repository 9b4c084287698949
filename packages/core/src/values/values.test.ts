import { arbitraryAccount, arbitraryBytes32, arbitraryInstant } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { highestPrice, listable } from '../tokens/listing.ts'
import { requireFound } from '../tokens/provenance.ts'
import type { Instant } from './branded.ts'
import { readDecimal, tokenId, wei } from './decimal.ts'
import { account, digest, hash, nobody, salt, sameAccount, storageUri } from './hex.ts'
import { fromSeconds, instant, later, toSeconds } from './time.ts'

const limit = 2n ** 256n
const uint256 = fc.bigInt({ min: 0n, max: limit - 1n })
const invalid = withCode('value/invalid')

describe('decimals', () => {
  test('are parsed', () => {
    expect(readDecimal('0', 'number')).toBe(0n)
    expect(wei('1000000000000000000')).toBe(10n ** 18n)
    expect(tokenId('42')).toBe(42n)
  })

  test('are parsed to the printed number', () =>
    fc.assert(
      fc.property(uint256, (number) => {
        expect(wei(String(number))).toBe(number)
        expect(tokenId(String(number))).toBe(number)
        expect(tokenId(number)).toBe(number)
      }),
    ))

  test('have only one form', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+ 0-9.ex_n]{1,80}$/)), (text) => {
        const isCanonical = /^\d+$/.test(text) && String(BigInt(text)) === text
        fc.pre(!isCanonical || BigInt(text) >= limit)
        expect(() => wei(text)).toThrow(invalid)
      }),
    ))

  test.each(['', '00', '01', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '1\n', '１', String(limit)])(
    'refuse %j with `value/invalid`',
    (text) => {
      expect(() => wei(text)).toThrow(invalid)
      expect(() => tokenId(text)).toThrow(invalid)
    },
  )

  test('refuse integers out of range with `value/invalid`', () => {
    for (const number of [-1n, limit]) {
      expect(() => wei(number)).toThrow(invalid)
      expect(() => tokenId(number)).toThrow(invalid)
    }
  })

  test('refuse a very long text at once', () => {
    expect(() => wei('9'.repeat(5_000_000))).toThrow(invalid)
  })
})

describe('listable', () => {
  test('accepts prices up to the limit and refuses others with `listing/price-too-high`', () => {
    expect(listable(highestPrice)).toBe(2n ** 80n - 1n)
    expect(() => listable(wei(highestPrice + 1n))).toThrow(
      expect.objectContaining({
        code: 'listing/price-too-high',
        facts: { price: 2n ** 80n, limit: highestPrice },
      }),
    )
  })
})

describe('requireFound', () => {
  test('returns a found value, or refuses with `token/not-found`', () => {
    expect(requireFound(tokenId(1n), 'found')).toBe('found')
    expect(() => requireFound(tokenId(1n), undefined)).toThrow(
      expect.objectContaining({ code: 'token/not-found', facts: { tokenId: 1n } }),
    )
  })
})

describe('account', () => {
  test('preserves its letter case and ignores it in comparisons', () =>
    fc.assert(
      fc.property(arbitraryAccount, arbitraryAccount, (one, other) => {
        const lower = account(one.toLowerCase())
        expect(account(one)).toBe(one)
        expect(sameAccount(one, lower)).toBe(true)
        expect(sameAccount(one, other)).toBe(one === other)
        expect(sameAccount(one, nobody)).toBe(false)
      }),
    ))

  test.each(['', '0x', `0x${'0'.repeat(39)}`, `0x${'0'.repeat(41)}`, `0X${'0'.repeat(40)}`])(
    'refuses %j with `value/invalid`',
    (text) => {
      expect(() => account(text)).toThrow(invalid)
    },
  )
})

describe('hashes', () => {
  test('are parsed to lower case', () =>
    fc.assert(
      fc.property(arbitraryBytes32, (bytes) => {
        const upper = `0x${bytes.slice(2).toUpperCase()}`
        for (const read of [hash, digest, salt]) expect(read(upper)).toBe(bytes)
        expect(storageUri(digest(bytes))).toBe(`v2:ipfs://${bytes}`)
      }),
    ))

  test('refuse other lengths with `value/invalid`', () => {
    for (const read of [hash, digest, salt]) {
      expect(() => read(`0x${'0'.repeat(63)}`)).toThrow(invalid)
      expect(() => read(`0x${'g'.repeat(64)}`)).toThrow(invalid)
      expect(() => read('0'.repeat(66))).toThrow(invalid)
    }
  })
})

describe('instants', () => {
  test('are rounded down to seconds', () => {
    expect(toSeconds(instant(1999))).toBe(1)
    expect(fromSeconds(2)).toBe(2000)
  })

  test('lose less than a second when rounded', () =>
    fc.assert(
      fc.property(arbitraryInstant, (moment) => {
        const lost = moment - fromSeconds(toSeconds(moment))
        expect(lost >= 0 && lost < 1000).toBe(true)
      }),
    ))

  test('are ordered', () =>
    fc.assert(
      fc.property(arbitraryInstant, arbitraryInstant, (one, other) => {
        expect(later(one, other)).toBe(Math.max(one, other) as Instant)
      }),
    ))

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    'refuse %d with `value/invalid`',
    (milliseconds) => {
      expect(() => instant(milliseconds)).toThrow(invalid)
    },
  )
})

function withCode(code: string) {
  return expect.objectContaining({ code })
}
