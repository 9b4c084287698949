import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadSecretbox, type Secretbox, sodiumSecretbox, tweetnaclSecretbox } from './secretbox.ts'

const reference = tweetnaclSecretbox()
const fastest = loadSecretbox()

const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
const nonce = fc.uint8Array({ minLength: 24, maxLength: 24 })
const lengths = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 2048 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2049, max: 3 * 2 ** 20 }) },
)
const message = fc
  .tuple(lengths, fc.uint8Array({ minLength: 1, maxLength: 97 }))
  .map(([length, pattern]) => Uint8Array.from(Buffer.alloc(length, Buffer.from(pattern))))

const boxOf = (secretbox: Secretbox, input: Omit<Secretbox.Input, 'box'>) => {
  const box = new Uint8Array(input.message.length + 16)
  secretbox.seal({ ...input, box })
  return box
}

describe('the native and the reference secretbox', () => {
  test('are both present, so that the comparison is valid', () => {
    expect(sodiumSecretbox()?.name).toBe('sodium-native')
    expect(fastest.name).toBe('sodium-native')
  })

  test('return the same bytes, and open those of the other', () => {
    const input = fc.record({ message, nonce, key })
    fc.assert(
      fc.property(input, ({ message, nonce, key }) => {
        const box = boxOf(reference, { message, nonce, key })
        assert.equal(Buffer.compare(boxOf(fastest, { message, nonce, key }), box), 0)
        for (const secretbox of [reference, fastest]) {
          const opened = new Uint8Array(message.length)
          assert.equal(secretbox.open({ message: opened, box, nonce, key }), true)
          assert.equal(Buffer.compare(opened, message), 0)
        }
      }),
    )
  })

  test.each([reference, fastest])('return no plaintext of a changed box ($name)', (secretbox) => {
    const input = fc.record({ message, nonce, key, at: fc.nat() })
    fc.assert(
      fc.property(input, ({ message, nonce, key, at }) => {
        const box = boxOf(secretbox, { message, nonce, key })
        box[at % box.length] = (box[at % box.length] ?? 0) ^ 0x40
        const opened = new Uint8Array(message.length)
        assert.equal(secretbox.open({ message: opened, box, nonce, key }), false)
        assert.equal(opened.some(Boolean), false)
      }),
    )
  })
})
