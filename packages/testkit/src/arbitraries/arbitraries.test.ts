import {
  account,
  card,
  documentOf,
  isFailure,
  listableTerms,
  maxRentalDays,
  readMembers,
  tokenId,
  wei,
} from '@heirloom/core'
import fc, { type Arbitrary } from 'fast-check'
import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { arbitraryCard } from './card.ts'
import {
  arbitraryBundleText,
  arbitraryJsonText,
  arbitraryMalformedJson,
  arbitraryObjectText,
} from './json.ts'
import { arbitraryTerms, arbitraryUnlistablePrice, arbitraryWei } from './money.ts'
import { arbitraryAccount, arbitraryBlob, arbitraryDays, arbitraryTokenId } from './values.ts'

const encode = (text: string) => new TextEncoder().encode(text)

test('every card is valid', () =>
  fc.assert(fc.property(arbitraryCard, (given) => void card(given))))

describe('every text', () => {
  test('of a JSON value is valid JSON', () =>
    fc.assert(fc.property(arbitraryJsonText, (text) => void JSON.parse(text))))

  test('of an object is an object', () =>
    fc.assert(
      fc.property(arbitraryObjectText, (text) => {
        const value = JSON.parse(text)
        expect(typeof value === 'object' && value !== null && !Array.isArray(value)).toBe(true)
      }),
    ))

  test('of a bundle has the expected document', () =>
    fc.assert(
      fc.property(arbitraryBundleText, ({ text, document }) => {
        expect(documentOf(encode(text))).toEqual(encode(document))
        expect(documentOf(encode(document))).toEqual(encode(document))
      }),
    ))

  test('of malformed JSON is refused', () =>
    fc.assert(
      fc.property(arbitraryMalformedJson, (bytes) => {
        const refusal = failureOf(() => readMembers(bytes))
        expect(['json/malformed', 'json/duplicate-member']).toContain(refusal)
      }),
    ))
})

describe('every value', () => {
  test('is accepted by the domain', () =>
    fc.assert(
      fc.property(
        arbitraryAccount,
        arbitraryTokenId,
        arbitraryWei,
        arbitraryTerms,
        arbitraryDays,
        (owner, id, amount, terms, days) => {
          expect(account(getAddress(owner))).toBe(owner)
          expect(tokenId(String(id))).toBe(id)
          expect(wei(String(amount))).toBe(amount)
          expect(listableTerms(terms)).toEqual(terms)
          expect(days >= 1 && days <= maxRentalDays).toBe(true)
        },
      ),
    ))

  test('above the limit of a listing is refused', () =>
    fc.assert(
      fc.property(arbitraryUnlistablePrice, arbitraryTerms, (price, terms) => {
        expect(failureOf(() => listableTerms({ ...terms, price }))).toBe('listing/price-too-high')
      }),
    ))
})

describe('a thousand samples', () => {
  test.each<[string, Arbitrary<unknown>, (value: never) => boolean]>([
    ['of texts include an unpaired surrogate', arbitraryJsonText, has('\\ud800')],
    ['of texts include a prototype', arbitraryJsonText, has('__proto__')],
    ['of texts include a 64-bit integer', arbitraryJsonText, has('18446744073709551615')],
    ['of texts include a negative zero', arbitraryJsonText, has('-0')],
    ['of objects include a duplicate name', arbitraryObjectText, has('"a":', '"a":')],
    [
      'of blobs include one above a mebibyte',
      arbitraryBlob,
      (blob: Uint8Array) => blob.length > 2 ** 20,
    ],
    ['of blobs include an empty one', arbitraryBlob, (blob: Uint8Array) => blob.length === 0],
  ])('%s', (_, arbitrary, isFound) => {
    const values = fc.sample(arbitrary, { numRuns: 1000, seed: 1 })
    expect(values.some((value) => isFound(value as never))).toBe(true)
  })
})

function has(...parts: readonly string[]): (text: string) => boolean {
  const pattern = new RegExp(parts.map((part) => part.replaceAll('\\', '\\\\')).join('.*'), 's')
  return (text) => pattern.test(text)
}

function failureOf(act: () => unknown): string {
  try {
    act()
    return 'no failure'
  } catch (error) {
    if (isFailure(error)) return error.code
    throw error
  }
}
