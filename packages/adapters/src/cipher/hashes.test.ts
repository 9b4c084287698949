import { createHmac, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deriveKeys, hmacSha256 } from './hashes.ts'

const hex = (bytes: ArrayBuffer | Uint8Array) => Buffer.from(bytes as Uint8Array).toString('hex')

describe('HMAC-SHA256', () => {
  test('matches RFC 4231', () => {
    const key = Buffer.from('Jefe')
    const message = Buffer.from('what do ya want for nothing?')
    expect(hex(hmacSha256(key, message))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })

  test('matches Node for every key of up to 64 bytes', () => {
    const key = fc.uint8Array({ maxLength: 64 })
    const message = fc.uint8Array({ maxLength: 300 })
    fc.assert(
      fc.property(key, message, (key, message) => {
        const expected = createHmac('sha256', key).update(message).digest('hex')
        expect(hex(hmacSha256(key, message))).toBe(expected)
      }),
    )
  })
})

test('derives the keys of HKDF-SHA256, one for each use', () => {
  const [key, salt] = [fc.uint8Array({ maxLength: 64 }), fc.uint8Array({ maxLength: 64 })]
  fc.assert(
    fc.property(key, salt, (key, salt) => {
      const derived = deriveKeys(key, ['header', 'payload'], salt)
      for (const use of ['header', 'payload'] as const) {
        expect(hex(derived[use])).toBe(hex(hkdfSync('sha256', key, salt, `heirloom/3/${use}`, 32)))
      }
      const unsalted = hkdfSync('sha256', key, new Uint8Array(), 'heirloom/3/wrap', 32)
      expect(hex(deriveKeys(key, ['wrap']).wrap)).toBe(hex(unsalted))
    }),
  )
})
