import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { chunksOf, sealedLength, sealer } from './chunks.ts'
import { openPieces } from './open-pieces.ts'
import { loadSecretbox, tweetnaclSecretbox } from './secretbox.ts'
import { boundCipher, drawsOf } from './test/bound-cipher.ts'

const text = Buffer.from('{"role":"user","content":"again"},'.repeat(100_000))
const noise = randomBytes(2_500_000)
const salt = randomBytes(32)
const [key, chunkPrefix] = [randomBytes(32), randomBytes(19)]
const stream = { secretbox: loadSecretbox(), key, chunkPrefix }

async function* boxes(sealed: Uint8Array) {
  for (const { box } of chunksOf(sealed)) yield Uint8Array.from(box)
}
const sealPayload = (payload: Uint8Array) => {
  const sealed = new Uint8Array(sealedLength(payload.length))
  const chunks = sealer(stream, sealed)
  chunks.add(payload)
  expect(chunks.end()).toBe(sealed.length)
  return sealed
}
const openInPieces = (sealed: Uint8Array, compressed: boolean, length: number) =>
  openPieces({ stream, salt, compressed, length, sealed: sealed.length }, boxes(sealed))

test.each([
  ['compressed', text, zstdCompressSync(text), true],
  ['plain', text, text, false],
  ['noise', noise, noise, false],
] as const)('a %s document is opened in pieces', async (_, document, payload, compressed) => {
  const { bytes, sum } = await openInPieces(sealPayload(payload), compressed, document.length)
  assert.equal(Buffer.compare(bytes, document), 0)
  expect(sum).toBe(createHash('sha256').update(salt).update(document).digest('hex'))
})

describe('an envelope whose payload does not match its header', () => {
  const frame = zstdCompressSync(text)
  test.each<[string, Uint8Array, boolean, number]>([
    ['has less', sealPayload(frame), true, text.length + 1],
    ['has more', sealPayload(frame), true, text.length - 1],
    ['has a zip bomb', sealPayload(zstdCompressSync(new Uint8Array(2 ** 28))), true, 200_000],
    ['has half a frame', sealPayload(frame.subarray(0, frame.length >> 1)), true, text.length],
    ['has no frame', sealPayload(noise), true, noise.length],
    ['has less, uncompressed', sealPayload(noise), false, noise.length + 1],
    ['has more, uncompressed', sealPayload(noise), false, noise.length - 1],
  ])('is refused when it %s', async (_, sealed, compressed, length) => {
    await expect(openInPieces(sealed, compressed, length)).rejects.toMatchObject({
      code: 'bundle/unreadable',
      facts: { problem: 'it does not hold the document it promises' },
    })
  })

  test('is refused when a chunk in the middle was altered', async () => {
    const sealed = sealPayload(noise)
    sealed[1_500_000] = (sealed[1_500_000] ?? 0) ^ 1
    for (const compressed of [true, false]) {
      await expect(openInPieces(sealed, compressed, noise.length)).rejects.toMatchObject({
        code: 'bundle/unreadable',
      })
    }
  })
})

test('both secretboxes make the same envelope of a long document, and open it', async () => {
  const keys = [randomBytes(32)]
  const ciphers = [loadSecretbox(), tweetnaclSecretbox()].map((secretbox) =>
    boundCipher(keys, { secretbox, random: drawsOf('both') }),
  )
  for (const document of [text, noise]) {
    const result = await Promise.all(ciphers.map((cipher) => cipher.seal(document)))
    assert.equal(Buffer.compare(result[0]?.sealed ?? text, result[1]?.sealed ?? noise), 0)
    for (const cipher of ciphers) {
      const { document: back, contentHash } = await cipher.open(result[0]?.sealed ?? text)
      assert.equal(Buffer.compare(back, document), 0)
      expect(contentHash).toBe(result[1]?.contentHash)
    }
  }
})
