import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { isFailure } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sizes } from './envelope.ts'
import { masterKeyId, readHeader, sealingKeyRing } from './nacl.ts'
import { boundCipher } from './test/bound-cipher.ts'

const documentLimit = 8 * 2 ** 20
const key = randomBytes(32)
const cipherOf = (keys: readonly Uint8Array[]) => boundCipher(keys, { documentLimit })
const cipher = cipherOf([key])
const chunk = sizes.chunk + sizes.overhead

/** Returns random bytes, which are not compressed, so that the chunks have known positions. */
const noise = (length: number) => Uint8Array.from(randomBytes(length))
const concat = (...parts: readonly Uint8Array[]) => Uint8Array.from(Buffer.concat(parts))
const problemOf = (sealed: Uint8Array, opener = cipher) =>
  opener.open(sealed).then(
    () => 'none',
    (error: unknown) => (isFailure(error, 'bundle/unreadable') ? error.facts.problem : error),
  )

describe('an envelope', () => {
  test.each([0, 1, 4096, 4097, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20])(
    'opens to its document of %i bytes',
    async (length) => {
      const document = noise(length)
      const { sealed, contentHash } = await cipher.seal(document)
      const opened = await cipher.open(sealed)
      assert.equal(Buffer.compare(opened.document, document), 0)
      expect(opened.contentHash).toBe(contentHash)
      expect(sealed.length).toBe(
        sizes.head + length + Math.max(1, Math.ceil(length / sizes.chunk)) * sizes.overhead,
      )
    },
  )

  test('contains the id of its sealing key, which does not reveal the key', async () => {
    const { sealed } = await cipher.seal(noise(10))
    expect(Buffer.from(readHeader(sealed).sealingKeyId).toString('hex')).toBe(masterKeyId(key))
    expect(key.toString('hex')).not.toContain(masterKeyId(key))
  })

  test('compresses a document, and opens to it', async () => {
    const document = Buffer.from('{"role":"user","content":"again"},'.repeat(50_000))
    const { sealed } = await cipher.seal(document)
    expect(sealed.length).toBeLessThan(document.length / 100)
    const opened = await cipher.open(sealed)
    assert.equal(Buffer.compare(opened.document, document), 0)
  })

  test('contains neither the salt nor the key in clear', async () => {
    const { sealed } = await cipher.seal(noise(100))
    const { salt } = await cipher.open(sealed)
    expect(Buffer.from(sealed).includes(Buffer.from(salt.slice(2), 'hex'))).toBe(false)
    expect(Buffer.from(sealed).includes(key)).toBe(false)
  })
})

describe('a changed envelope is refused', () => {
  test('at every bit of its header and of its only chunk', async () => {
    const { sealed } = await cipher.seal(Buffer.from('small'))
    const opened: number[] = []
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = sealed.slice()
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      if ((await problemOf(changed)) === 'none') opened.push(bit)
    }
    expect(opened).toEqual([])
  })

  test('when truncated to any length', async () => {
    const { sealed } = await cipher.seal(Buffer.from('small'))
    for (let length = 0; length < sealed.length; length += 1) {
      expect(await problemOf(sealed.subarray(0, length))).not.toBe('none')
    }
  })

  test('when truncated at the boundary of a chunk, for any length of the last', async () => {
    for (const last of [1, 1000, sizes.chunk]) {
      const { sealed } = await cipher.seal(noise(2 * sizes.chunk + last))
      for (const chunks of [0, 1, 2]) {
        const cut = sealed.subarray(0, sizes.head + chunks * chunk)
        expect(await problemOf(cut)).toMatch(/cut short/)
      }
    }
  })

  test('when chunks are reordered, repeated or added', async () => {
    const { sealed } = await cipher.seal(noise(3 * sizes.chunk))
    const head = sealed.subarray(0, sizes.head)
    const part = (at: number) =>
      sealed.subarray(sizes.head + at * chunk, sizes.head + (at + 1) * chunk)
    const [first, second, third] = [part(0), part(1), part(2)]
    assert.equal(Buffer.compare(concat(head, first, second, third), sealed), 0)
    for (const order of [
      [second, first, third],
      [first, third, second],
      [first, first, third],
      [first, third],
      [second, third],
      [first, second, second, third],
      [first, second, third, third],
      [first, second, third, new Uint8Array(16)],
    ]) {
      expect(await problemOf(concat(head, ...order))).toMatch(/^it was (altered|cut short)/)
    }
  })

  test('when bytes follow its last chunk, too few for another or not', async () => {
    const { sealed } = await cipher.seal(noise(2 * sizes.chunk))
    for (const more of [1, 15, 16, 17, chunk]) {
      const prolonged = concat(sealed, new Uint8Array(more))
      expect(await problemOf(prolonged)).toBe('it was cut short or prolonged')
    }
  })

  test('when it is spliced from two envelopes of one document under one key', async () => {
    const document = noise(2 * sizes.chunk)
    const [one, other] = [await cipher.seal(document), await cipher.seal(document)]
    // From the prefix of the chunks' nonces on: before it, both have the same bytes.
    for (const at of [90, 110, 150, 200, 260, 300, 360, sizes.head, sizes.head + chunk]) {
      const spliced = concat(one.sealed.subarray(0, at), other.sealed.subarray(at))
      expect(await problemOf(spliced)).toMatch(/altered/)
    }
  })
})

describe('a failure', () => {
  test('states the kind of damage', async () => {
    const { sealed } = await cipher.seal(Buffer.from('memory'))
    const withByte = (at: number, byte: number) => sealed.with(at, byte)
    expect(await problemOf(withByte(0, 0))).toBe('it is not a sealed bundle')
    expect(await problemOf(withByte(4, 2))).toBe(
      'its envelope has version 2, which is no longer supported; snapshot the memory anew',
    )
    expect(await problemOf(withByte(4, 4))).toBe(
      'its envelope has version 4, and this server reads version 3',
    )
    expect(await problemOf(withByte(9 + 6, 2))).toBe(
      'its key is not held by a server, as this version needs it',
    )
    expect(await problemOf(withByte(9, 0x90))).toBe(
      'it needs a feature that this version does not have',
    )
    const last = sizes.head - 1
    expect(await problemOf(withByte(last, (sealed[last] ?? 0) ^ 7))).toBe('it was altered')
    expect(await problemOf(sealed.subarray(0, 100))).toBe('it is cut short')
    const otherCipher = cipherOf([randomBytes(32)])
    expect(await problemOf(sealed, otherCipher)).toBe(
      `it was sealed under the key ${masterKeyId(key)}, which is not here`,
    )
  })

  test('contains neither keys nor content, wherever the damage is', async () => {
    const document = Buffer.from('the password is swordfish')
    const { sealed } = await cipher.seal(document)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(sealed.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const changed = sealed.with(at, (sealed[at] ?? 0) ^ by)
          const shown = inspect(await cipher.open(changed).catch((error: unknown) => error), {
            depth: 9,
            showHidden: true,
          })
          expect(shown).toContain('bundle/unreadable')
          expect(shown).not.toContain('swordfish')
          for (const text of [key.toString('hex'), key.toString('base64')]) {
            expect(shown).not.toContain(text)
          }
        },
      ),
    )
  })
})

describe('a key ring', () => {
  test('seals with its first key, and opens with any', async () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)]
    const before = cipherOf([older])
    const rotated = cipherOf([newer, older])
    const after = cipherOf([newer])
    const document = Buffer.from('the same through the rotation')

    const { sealed: sealedBefore } = await before.seal(document)
    expect(Buffer.from((await rotated.open(sealedBefore)).document)).toEqual(document)
    expect(await problemOf(sealedBefore, after)).toMatch(/which is not here/)

    const { sealed: sealedSince } = await rotated.seal(document)
    expect(Buffer.from((await after.open(sealedSince)).document)).toEqual(document)
    expect(await problemOf(sealedSince, before)).toMatch(/which is not here/)
  })

  test('stores its own copy of a key', async () => {
    const callerKey = randomBytes(32)
    const ownCipher = cipherOf([callerKey])
    const { sealed } = await ownCipher.seal(Buffer.from('memory'))
    callerKey.fill(0)
    expect(await problemOf(sealed, ownCipher)).toBe('none')
  })

  test('that is empty or holds a key of another length is `value/invalid`', () => {
    for (const keys of [[], [randomBytes(31)], [randomBytes(32), randomBytes(33)]]) {
      expect(() => sealingKeyRing(keys)).toThrow(expect.objectContaining({ code: 'value/invalid' }))
    }
  })
})

describe('the limit of a document', () => {
  const limited = boundCipher([key], { documentLimit: 10_000 })

  test('applies to sealing with `bundle/malformed`', async () => {
    expect(await problemOf((await limited.seal(noise(10_000))).sealed, limited)).toBe('none')
    await expect(limited.seal(noise(10_001))).rejects.toMatchObject({ code: 'bundle/malformed' })
  })

  test('applies to opening, compressed or not', async () => {
    for (const document of [noise(10_001), new Uint8Array(5 * 2 ** 20)]) {
      expect(await problemOf((await cipher.seal(document)).sealed, limited)).toBe(
        'it holds more than 10000 bytes',
      )
    }
  })
})
