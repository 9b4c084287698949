import { zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { pack, unpack } from './payload.ts'

const unreadable = expect.objectContaining({ code: 'bundle/unreadable' })

describe('a payload', () => {
  test('is the document itself up to 4 KiB, and when compression does not shorten it', () => {
    const noise = crypto.getRandomValues(new Uint8Array(8000))
    for (const document of [new Uint8Array(4096), noise]) {
      expect(pack(document)).toEqual({ payload: document, compressed: false })
    }
    expect(pack(new Uint8Array(4097)).compressed).toBe(true)
  })

  test('inflates to at most the length it was sealed with', () => {
    const bomb = zstdCompressSync(new Uint8Array(256 * 2 ** 20))
    const before = process.memoryUsage().arrayBuffers
    expect(() => unpack({ payload: bomb, compressed: true, length: 5000 })).toThrow(unreadable)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 2 ** 20)
  })

  test('is refused when it is too short, too long or no frame', () => {
    const document = new Uint8Array(5000)
    const frame = zstdCompressSync(document)
    for (const [payload, length] of [
      [frame, 4999],
      [frame, 5001],
      [frame.subarray(0, -1), 5000],
      [document, 5000],
      [frame, 0],
    ] as const) {
      expect(() => unpack({ payload, compressed: true, length })).toThrow(unreadable)
    }
    for (const length of [0, 4999, 5001]) {
      const payload = document
      expect(() => unpack({ payload, compressed: false, length })).toThrow(unreadable)
    }
  })
})
