import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOf, contentHashOf, sha256Fallback } from './content-hash.ts'

const salts = fc.uint8Array({ minLength: 32, maxLength: 32 })
const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}` as const

test('a content hash is the sha256 of the salt and the bytes', async () => {
  await fc.assert(
    fc.asyncProperty(salts, fc.uint8Array(), async (salt, bytes) => {
      const expected = createHash('sha256').update(salt).update(bytes).digest('hex')
      expect(await contentHashOf(hexOf(salt), bytes)).toBe(`0x${expected}`)
    }),
  )
})

test('the fallback without Web Crypto computes the same sha256', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const expected = createHash('sha256').update(bytes).digest('hex')
      expect(hexOf(sha256Fallback(bytes))).toBe(`0x${expected}`)
    }),
  )
})

test('any changed bit changes the hash', async () => {
  const changed = fc
    .uint8Array({ minLength: 1 })
    .chain((bytes) =>
      fc.record({ bytes: fc.constant(bytes), at: fc.nat(bytes.length - 1), bit: fc.nat(7) }),
    )
  await fc.assert(
    fc.asyncProperty(salts, changed, async (salt, { bytes, at, bit }) => {
      const other = Uint8Array.from(bytes, (it, index) => (index === at ? it ^ (1 << bit) : it))
      expect(await contentHashOf(hexOf(salt), other)).not.toBe(
        await contentHashOf(hexOf(salt), bytes),
      )
    }),
  )
})

test.each(['', '0x', '0x00', `0x${'g'.repeat(64)}`])('"%s" is not a salt', (salt) => {
  expect(() => bytesOf(salt)).toThrow(TypeError)
})
