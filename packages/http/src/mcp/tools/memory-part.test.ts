import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryPart, mostCharacters } from './open-memory.ts'

const memoryOf = (text: string) => {
  const document = new TextEncoder().encode(
    `{"data":{"text":${JSON.stringify(text)}},"metadata":{}}`,
  )
  return { ...JSON.parse(Buffer.from(document).toString()), document }
}

/** Generates long texts with characters of any width at the borders of parts. */
const texts = fc
  .tuple(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.nat({ max: 3 * mostCharacters }),
    fc.nat({ max: 3 }),
  )
  .map(
    ([piece, length, shift]) => 'x'.repeat(shift) + piece.repeat(Math.ceil(length / piece.length)),
  )

test('returns a short memory at once, and only the start of a long one', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const memory = memoryOf(text)
      const { data, metadata, next, ...rest } = memoryPart(memory, undefined)
      expect(rest).toEqual({})
      const isLong = Buffer.from(memory.document).toString().length > mostCharacters
      if (isLong) expect([data, metadata, next]).toEqual([undefined, undefined, 0])
      else expect([data, metadata, next]).toEqual([memory.data, memory.metadata, null])
    }),
  )
})

test('returns every part once, each below the limit, without splitting a character', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const memory = memoryOf(text)
      const parts: string[] = []
      for (let at: number | null = 0; at !== null; ) {
        const part: memoryPart.Part = memoryPart(memory, at)
        parts.push(part.text ?? '')
        at = part.next
      }
      expect(parts.join('')).toBe(Buffer.from(memory.document).toString())
      for (const part of parts) {
        expect(part.length).toBeLessThanOrEqual(mostCharacters)
        expect(part.isWellFormed()).toBe(true)
      }
    }),
  )
})

test('returns an empty part beyond the end', () => {
  expect(memoryPart(memoryOf('short'), 1000)).toEqual({ text: '', next: null })
})
