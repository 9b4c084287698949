import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeUtf8, encodeUtf8, isSequence, sequenceLength } from './utf8.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 200 })

describe('encodeUtf8', () => {
  test('writes one to four bytes for a character', () => {
    expect([...encodeUtf8('aé日🧠')]).toEqual([...Buffer.from('aé日🧠')])
  })

  test('writes what TextEncoder writes of every character there is', () => {
    const planes = Array.from({ length: 0x110000 }, (_, code) => code).filter(isScalar)
    const text = planes.map((code) => String.fromCodePoint(code)).join('')
    const written = encodeUtf8(text)
    expect(Buffer.compare(written, new TextEncoder().encode(text))).toBe(0)
    expect(decodeUtf8(written) === text).toBe(true)
  })

  test('writes what TextEncoder writes of any text', () =>
    fc.assert(
      fc.property(anyText, (text) => {
        expect(encodeUtf8(text)).toEqual(new TextEncoder().encode(text))
      }),
    ))
})

describe('decodeUtf8', () => {
  test('undoes encodeUtf8', () =>
    fc.assert(
      fc.property(anyText, (text) => {
        expect(decodeUtf8(encodeUtf8(text))).toBe(text)
      }),
    ))

  test('reads more than fits in one call', () => {
    const text = '🧠é'.repeat(50_000)
    expect(decodeUtf8(encodeUtf8(text))).toBe(text)
  })
})

describe('isSequence', () => {
  test('agrees with a strict TextDecoder about every beginning of a sequence', () => {
    for (let lead = 0x80; lead <= 0xff; lead++) {
      for (let second = 0; second <= 0xff; second++) {
        expectAgreement(Uint8Array.of(lead, second, 0x80, 0xbf))
      }
    }
  })

  test('agrees with a strict TextDecoder about any end of a sequence', () =>
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
