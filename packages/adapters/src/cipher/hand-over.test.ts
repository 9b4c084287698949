import { randomBytes } from 'node:crypto'
import type { BlobStore } from '@heirloom/core'
import { memoryBlobStore } from '@heirloom/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../../../../test/tier.ts'
import { naclCipher, sealingKeyRing } from './nacl.ts'
import { context } from './test/bound-cipher.ts'

const keys = sealingKeyRing([randomBytes(32)])
const cipherOf = (isInParts: boolean) =>
  naclCipher({ keys, documentLimit: 2 ** 26, isInParts: () => isInParts })

/** A document amid other bytes of its buffer, such as a request with a card. */
const documents = fc
  .record({ length: fc.constantFrom(10, 131_000, 400_000), before: fc.nat(9), after: fc.nat(9) })
  .map(({ length, before, after }) => {
    const text = JSON.stringify({ data: { note: 'here', noise: 'ab'.repeat(length / 2) } })
    const bytes = new Uint8Array(before + text.length + after).fill(120)
    bytes.set(Buffer.from(text), before)
    return bytes.subarray(before, before + text.length)
  })

test('a document that is handed over is sealed all the same, and a long one is released', () =>
  fc.assert(
    fc.asyncProperty(
      documents,
      fc.boolean(),
      fc.boolean(),
      async (document, isInParts, isHandedOver) => {
        const blobs = memoryBlobStore()
        const [cipher, expected] = [cipherOf(isInParts), Buffer.from(document)]
        const options = { blobs, excerpts: ['/data/note'], isHandedOver }
        const { sealed } = await cipher.seal(document, context, options)
        expect(document.length).toBe(
          isHandedOver && expected.length > 131_072 ? 0 : expected.length,
        )
        const opened = await cipher.open(sealed, context, blobs)
        expect(Buffer.compare(opened.document, expected)).toBe(0)
        expect(cipher.inspect(sealed).excerpts).toMatchObject([{ value: '"here"' }])
      },
    ),
    { numRuns: times(5, 20), seed: 20 },
  ))

test('stores two packs at a time, and releases each', async () => {
  const packs: Uint8Array[] = []
  let most = 0
  const inner = memoryBlobStore()
  const blobs: BlobStore = {
    ...inner,
    put: async (pack, headLength) => {
      packs.push(pack)
      most = Math.max(most, packs.filter(({ length }) => length > 0).length)
      return inner.put(pack, headLength)
    },
  }
  const document = randomBytes(5_000_000)
  const { sealed } = await cipherOf(true).seal(document, context, { blobs })
  expect([packs.length > 3, most]).toEqual([true, 2])
  expect(packs.map(({ length }) => length)).toEqual(packs.map(() => 0))
  const { document: opened } = await cipherOf(true).open(sealed, context, blobs)
  expect(Buffer.compare(opened, document)).toBe(0)
})
