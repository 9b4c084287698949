import { readFileSync } from 'node:fs'
import type { Digest } from '@heirloom/core'
import { memoryBlobStore } from '@heirloom/testkit'
import { expect, test } from 'vitest'
import { naclCipher, sealingKeyRing } from '../nacl.ts'
import { context } from '../test/bound-cipher.ts'

// The second version of a line, as it was sealed when the format was made: it opens for ever.
const fixture: {
  readonly contentHash: string
  readonly sealed: string
  readonly packs: Readonly<Record<Digest, string>>
} = JSON.parse(readFileSync(new URL('./test/fixture.json', import.meta.url), 'utf8'))

const noteAt = (at: number) =>
  `note ${at % 100 === 0 ? at : ''} of the agent ${at === 2500 ? 'with a change' : ''}`
const notes = Array.from({ length: 7000 }, (_, at) => noteAt(at))
const document = JSON.stringify({ data: { notes }, metadata: { category: 'test' } })

test('a version of a line that was sealed before opens to the same document', async () => {
  const blobs = memoryBlobStore()
  for (const pack of Object.values(fixture.packs)) await blobs.put(Buffer.from(pack, 'base64'))
  const keys = sealingKeyRing([new Uint8Array(32).fill(7)])
  const cipher = naclCipher({ keys, documentLimit: 2 ** 20 })
  const sealed = Uint8Array.from(Buffer.from(fixture.sealed, 'base64'))
  const opened = await cipher.open(sealed, context, blobs)
  expect(Buffer.from(opened.document).toString()).toBe(document)
  expect(opened.contentHash).toBe(fixture.contentHash)
  expect(cipher.inspect(sealed).packs).toEqual(Object.keys(fixture.packs))
})
