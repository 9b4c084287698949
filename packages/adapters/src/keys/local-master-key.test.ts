import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localMasterKey } from './local-master-key.ts'

const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
const record = fc.uint8Array({ maxLength: 400 })

describe('a master key', () => {
  test('unwraps what it wrapped', async () => {
    await fc.assert(
      fc.asyncProperty(key, record, async (secret, bytes) => {
        const wrapped = await localMasterKey(secret).wrap(bytes)
        const unwrapped = await localMasterKey(secret).unwrap(wrapped)
        assert.deepEqual(Buffer.from(unwrapped ?? []), Buffer.from(bytes))
      }),
    )
  })

  test('wraps the same bytes differently each time', async () => {
    const master = localMasterKey(Buffer.alloc(32, 7))
    const all = await Promise.all(Array.from({ length: 50 }, () => master.wrap(Buffer.from('it'))))
    expect(new Set(all.map((it) => Buffer.from(it).toString('hex'))).size).toBe(50)
  })

  test('unwraps nothing that another key wrapped', async () => {
    await fc.assert(
      fc.asyncProperty(key, key, record, async (one, other, bytes) => {
        fc.pre(Buffer.compare(one, other) !== 0)
        const wrapped = await localMasterKey(one).wrap(bytes)
        expect(await localMasterKey(other).unwrap(wrapped)).toBeUndefined()
        expect(localMasterKey(one).id).not.toBe(localMasterKey(other).id)
      }),
    )
  })

  test('unwraps nothing that was changed', async () => {
    await fc.assert(
      fc.asyncProperty(key, record, fc.nat(), fc.nat(7), async (secret, bytes, at, bit) => {
        const master = localMasterKey(secret)
        const wrapped = Buffer.from(await master.wrap(bytes))
        const place = at % wrapped.length
        wrapped[place] = (wrapped[place] ?? 0) ^ (1 << bit)
        expect(await master.unwrap(wrapped)).toBeUndefined()
        expect(await master.unwrap(wrapped.subarray(0, place))).toBeUndefined()
      }),
    )
  })

  test('has an id that does not disclose it, and copies its bytes', async () => {
    const secret = Buffer.alloc(32, 9)
    const master = localMasterKey(secret)
    const wrapped = await master.wrap(Buffer.from('it'))
    secret.fill(0)
    expect(Buffer.from((await master.unwrap(wrapped)) ?? []).toString()).toBe('it')
    expect(master.id).toMatch(/^[0-9a-f]{16}$/)
    expect(JSON.stringify(master)).toBe(`{"id":"${master.id}"}`)
  })

  test('is refused unless it has 32 bytes', () => {
    for (const length of [0, 31, 33]) {
      expect(() => localMasterKey(new Uint8Array(length))).toThrow(
        expect.objectContaining({ code: 'value/invalid' }),
      )
    }
  })
})
