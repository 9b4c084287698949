import { memoryBlobStore } from '@heirloom/testkit'
import { describe, expect, test } from 'vitest'
import { naclCipher, sealingKeyRing } from './nacl.ts'
import { readHeader } from './read-header.ts'
import { openHeader } from './sealed-header.ts'
import { loadSecretbox } from './secretbox.ts'
import { readSaver, readSections, sectionValue, writeSaver } from './sections.ts'
import { context } from './test/bound-cipher.ts'

const sealingKey = Uint8Array.from({ length: 32 }, (_, at) => at)
const savedBy = { kind: 'account', name: `0x${'ad'.repeat(20)}`, hasOwnLine: true } as const
const documents = { short: 24, 'in parts': 200_000 }
const documentOf = (length: number) => Buffer.from(`{"data":"${'a'.repeat(length)}"}`)

const cipherOf = (key: Uint8Array) =>
  naclCipher({ keys: sealingKeyRing([key]), documentLimit: 1_000_000 })

const seal = async (length: number) => {
  const options = { blobs: memoryBlobStore(), savedBy }
  return (await cipherOf(sealingKey).seal(documentOf(length), context, options)).sealed
}

/** Opens the private section of a head, as its inner sections. */
function openPrivate(head: Uint8Array, known: readonly number[]) {
  const secretbox = loadSecretbox()
  const header = readHeader(head)
  const keys = openHeader(header, { keys: sealingKeyRing([sealingKey]), secretbox })
  const { box, nonce } = header.hidden
  const message = Buffer.alloc(box.length - 16)
  expect(secretbox.open({ message, box, nonce, key: keys.private })).toBe(true)
  return readSections(message, known)
}

describe('who saved', () => {
  test.each(Object.entries(documents))(
    'is skipped by a version that does not know it, %s',
    async (_, length) => {
      // The inner sections that version 0.2.0 knows, by its own table.
      const sections = openPrivate(await seal(length), [0x8001, 0x8002])
      expect(sectionValue(sections, 0x8001, 32)).toHaveLength(32)
      const documentLength = sectionValue(sections, 0x8002, 8).readBigUInt64BE()
      expect(documentLength).toBe(BigInt(documentOf(length).length))
      expect([...sections.keys()]).toEqual([0x0004, 0x8001, 0x8002])
    },
  )

  test('is a kind, a mark of its line, and a padded name', () => {
    const name = Buffer.from(savedBy.name).toString('hex')
    const bytes = writeSaver(savedBy)
    expect(bytes.toString('hex')).toBe(`0101002a${name}${'00'.repeat(18)}`)
    expect(readSaver(bytes)).toEqual(savedBy)
    const lengths = ['', 'n'.repeat(60), 'n'.repeat(61)].map(
      (it) => writeSaver({ kind: 'key', name: it, hasOwnLine: false }).length,
    )
    expect(lengths).toEqual([64, 64, 128])
  })

  test('of a kind that is not known here is nobody', () => {
    const bytes = writeSaver(savedBy)
    bytes[0] = 9
    expect(readSaver(bytes)).toMatchObject({ name: '', hasOwnLine: false })
    bytes[0] = 1
    bytes[1] = 2
    expect(readSaver(bytes)).toMatchObject({ name: savedBy.name, hasOwnLine: false })
  })

  test('counts only in a head that a key of this server opens', async () => {
    const head = await seal(documents.short)
    const other = cipherOf(sealingKey.map((it) => it ^ 1))
    expect(other.inspect(head)).toMatchObject({ isAuthentic: false })
    expect(other.inspect(head)).not.toHaveProperty('savedBy')
  })
})
