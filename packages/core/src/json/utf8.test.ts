import { arbitraryCodePoint } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeUtf8, encodeUtf8, isSequence, sequenceLength } from './utf8.ts'

const anyText = fc.string({ unit: arbitraryCodePoint, maxLength: 200 })

describe('encodeUtf8', () => {
  test('encodes a character as one to four bytes', () => {
    expect([...encodeUtf8('aé日🧠')]).toEqual([...Buffer.from('aé日🧠')])
  })

  test('encodes every character like TextEncoder', () => {
    const codes = Array.from({ length: 0x110000 }, (_, code) => code).filter(isScalar)
    const text = codes.map((code) => String.fromCodePoint(code)).join('')
    const encoded = encodeUtf8(text)
    expect(Buffer.compare(encoded, new TextEncoder().encode(text))).toBe(0)
    expect(decodeUtf8(encoded) === text).toBe(true)
  })

  test('encodes any text like TextEncoder', () =>
    fc.assert(
      fc.property(anyText, (text) => {
        expect(encodeUtf8(text)).toEqual(new TextEncoder().encode(text))
      }),
    ))
})

describe('decodeUtf8', () => {
  test('reverses encodeUtf8', () =>
    fc.assert(
      fc.property(anyText, (text) => {
        expect(decodeUtf8(encodeUtf8(text))).toBe(text)
      }),
    ))

  test('decodes a text longer than one call of String.fromCodePoint', () => {
    const text = '🧠é'.repeat(50_000)
    expect(decodeUtf8(encodeUtf8(text))).toBe(text)
  })
})

describe('isSequence', () => {
  test('agrees with a strict TextDecoder about the first two bytes of every sequence', () => {
    for (let lead = 0x80; lead <= 0xff; lead++) {
      for (let second = 0; second <= 0xff; second++) {
        expectAgreement(Uint8Array.of(lead, second, 0x80, 0xbf))
      }
    }
  })

  test('agrees with a strict TextDecoder about the other bytes of a sequence', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(0xc3, 0xe1, 0xf1),
        fc.uint8Array({ maxLength: 3 }),
        (lead, rest) => expectAgreement(Uint8Array.of(lead, ...rest)),
      ),
    ))
})

function expectAgreement(bytes: Uint8Array): void {
  const sequence = bytes.subarray(0, sequenceLength(bytes[0] ?? 0))
  if (isSequence(bytes, 0) !== isOneCharacter(sequence)) expect.fail(`disagree about ${bytes}`)
}

function isOneCharacter(bytes: Uint8Array): boolean {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return [...decoder.decode(bytes)].length === 1
  } catch {
    return false
  }
}

function isScalar(code: number): boolean {
  return code < 0xd800 || code > 0xdfff
}
