import { randomBytes } from 'node:crypto'
import { naclCipher, sealingKeyRing } from '@heirloom/adapters/cipher'
import { account } from '@heirloom/core'
import { memoryBlobStore } from '@heirloom/testkit'
import { expect, test } from 'vitest'
import { packsOf } from '../../../server/packs/packs-of.ts'
import { removeVersion } from './reseal-memory.ts'

test('the removal of a version leaves what it shares with the one before it, and nothing else', async () => {
  const keys = sealingKeyRing([randomBytes(32)])
  const cipher = naclCipher({ keys, documentLimit: 2 ** 24 })
  const blobs = memoryBlobStore()
  const creator = account(`0x${'1'.repeat(40)}`)
  const context = { registry: { chainId: 1, address: creator }, creator }
  const notes = Array.from({ length: 30_000 }, (_, at) => `note ${at}`)
  const documentOf = (count: number) =>
    Buffer.from(JSON.stringify({ data: { notes: notes.slice(0, count) }, metadata: {} }))
  const [earlier, later] = [documentOf(29_999), documentOf(30_000)]
  const first = await cipher.seal(earlier, context, { blobs, line: { name: 'ada' } })
  const previous = await blobs.put(first.sealed, first.headLength)
  const second = await cipher.seal(later, context, { blobs, line: { name: 'ada', previous } })
  const root = await blobs.put(second.sealed, second.headLength)
  const [ofFirst, ofSecond] = [packsOf(first.sealed), packsOf(second.sealed)]
  expect(ofSecond.filter((pack) => ofFirst.includes(pack))).not.toEqual([])
  const own = ofSecond.filter((pack) => !ofFirst.includes(pack))
  expect(own).not.toEqual([])

  await removeVersion(blobs, root, previous)
  const opened = await cipher.open(await blobs.get(previous), context, blobs)
  expect(Buffer.from(opened.document).equals(earlier)).toBe(true)
  for (const pack of [root, ...own]) {
    await expect(blobs.get(pack)).rejects.toMatchObject({ code: 'blob/not-found' })
  }
})
