import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { secretboxNamed } from '../secretbox.ts'
import {
  keepChunksOutOfPool,
  openChunkOf,
  releaseChunk,
  releaseFrame,
  sealBox,
  shorten,
} from './boxes.ts'
import { chunkLengths } from './cutter.ts'
import { entrySizes } from './list-node.ts'

const usual = Buffer.poolSize

beforeEach(keepChunksOutOfPool)
afterEach(() => {
  Buffer.poolSize = usual
})

const lengths = [chunkLengths.least, chunkLengths.usual, chunkLengths.most]

test.each(lengths)('the memory of a frame of a chunk of %i bytes is released', (length) => {
  const chunk = Buffer.alloc(length, 'a note ')
  const frame = shorten(chunk) as Uint8Array
  releaseFrame(frame, chunk)
  expect(frame.buffer).toHaveProperty('detached', true)
  expect(chunk).toHaveLength(length)
})

test.each(lengths)('the memory of an opened chunk of %i bytes is released', (length) => {
  const secretbox = secretboxNamed('sodium-native')
  const entry = { key: randomBytes(32), id: randomBytes(16), tag: 1, offset: 0 }
  const from = { depth: 0, inString: false, escaped: false }
  const survey = { leastDepth: 0, separators: 0 }
  const chunks = { plain: randomBytes(length), zstd: Buffer.alloc(length, 'a note ') }
  for (const chunk of [chunks.plain, chunks.zstd]) {
    const frame = shorten(chunk)
    const message = frame ?? chunk
    const stored = message.length + entrySizes.overhead
    const box = Buffer.alloc(stored)
    sealBox(secretbox, { key: entry.key, message, box })
    const compressed = frame !== undefined
    const place = { ...entry, stored, length, compressed, from, survey }
    const opened = openChunkOf(secretbox, place, box)
    expect(Buffer.compare(opened, chunk)).toBe(0)
    releaseChunk(opened, place)
    expect(opened.buffer).toHaveProperty('detached', true)
  }
})
