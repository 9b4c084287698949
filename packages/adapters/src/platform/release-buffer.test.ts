import fc from 'fast-check'
import { expect, test } from 'vitest'
import { releaseBuffer, releaseWholeBuffer } from './release-buffer.ts'

test('releases bytes that fill their buffer, once, and no bytes that share it', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat(3), fc.nat(3), (bytes, before, after) => {
      const buffer = new ArrayBuffer(before + bytes.length + after)
      const view = new Uint8Array(buffer, before, bytes.length)
      view.set(bytes)
      for (let turn = 0; turn < 2; turn++) releaseBuffer(view)
      const isShared = before + after > 0
      expect(buffer.detached).toBe(!isShared)
      expect(view.length).toBe(isShared ? bytes.length : 0)
      if (isShared) expect(view).toEqual(bytes)
    }),
    { seed: 17 },
  )
})

test('releases bytes whose longer buffer is theirs alone, or with all that share it', () => {
  for (const release of [(it: Uint8Array) => releaseBuffer(it, 9), releaseWholeBuffer]) {
    const buffer = new ArrayBuffer(9)
    const other = new Uint8Array(buffer)
    release(new Uint8Array(buffer, 2, 3))
    expect(other.length).toBe(0)
  }
  const pooled = new Uint8Array(new ArrayBuffer(10), 2, 3)
  releaseBuffer(pooled, 9)
  expect(pooled.length).toBe(3)
})

test('leaves memory that threads share', () => {
  const bytes = new Uint8Array(new SharedArrayBuffer(2))
  releaseBuffer(bytes)
  expect(bytes.length).toBe(2)
})
