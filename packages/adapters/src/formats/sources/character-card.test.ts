import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { importMemory } from '../index.ts'
import { readCharacterCard } from './character-card.ts'

const chunk = (type: string, data: Uint8Array) => {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
const textChunk = (keyword: string, text: string) =>
  chunk('tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1'))
const carded = (keyword: string, card: unknown) =>
  textChunk(keyword, Buffer.from(JSON.stringify(card)).toString('base64'))

const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
const pngOf = (...chunks: readonly Uint8Array[]) => {
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const pixels = chunk('IDAT', deflateSync(Buffer.from([0, 0])))
  const end = chunk('IEND', Buffer.alloc(0))
  return Buffer.concat([start, chunk('IHDR', header), ...chunks, pixels, end])
}
const read = (bytes: Uint8Array) => readCharacterCard({ path: 'Ada.png', bytes })

test('whatever a card says, it comes out of its picture byte for byte, and can be imported', () => {
  const name = fc.constantFrom('chara', 'ccv3')
  fc.assert(
    fc.property(name, fc.dictionary(fc.string(), fc.jsonValue()), (keyword, card) => {
      const png = pngOf(textChunk('Software', 'any'), carded(keyword, card))
      const { file, left } = read(png)
      expect(file.path).toBe('Ada.json')
      expect(Buffer.from(file.bytes).toString()).toBe(JSON.stringify(card))
      expect(left.map(({ what }) => what)).toEqual(['the picture'])
      expect(importMemory([file], { secrets: 'keep', format: 'json' }).format).toBe('json')
    }),
  )
})

test('of two cards the newer one is read, and the other is reported', () => {
  const png = pngOf(carded('chara', { spec: 2 }), carded('ccv3', { spec: 3 }))
  const { file, left } = read(png)
  expect(Buffer.from(file.bytes).toString()).toBe('{"spec":3}')
  expect(left).toContainEqual({ what: 'chara', why: 'ccv3 is the newer card' })
})

describe('a picture', () => {
  const whole = pngOf(carded('chara', { name: 'Ada' }))
  const bent = Buffer.from(whole)
  bent[45] = (bent[45] ?? 0) ^ 1
  test.each([
    ['without a card', pngOf(), /without a character card/],
    ['whose card is not base64', pngOf(textChunk('chara', '{"a":1}')), /not base64/],
    ['that is damaged', bent, /checksum/],
  ])('%s is refused', (_, png, problem) => {
    expect(() => read(png)).toThrow(problem)
  })

  test('that is cut off anywhere before its end is refused', () => {
    for (let length = 9; length < whole.length; length += 1) {
      expect(() => read(whole.subarray(0, length)), `${length}`).toThrow(/invalid/)
    }
  })
})
