import { naclCipher, sealingKeyRing } from '@heirloom/adapters/cipher'
import { packNotes } from '@heirloom/adapters/internal/pack-notes'
import { sqliteJobStore } from '@heirloom/adapters/job-store'
import { account } from '@heirloom/core'
import { memoryBlobStore } from '@heirloom/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { adoptPacks } from './open-packs.ts'

const registry = { chainId: 31_337, address: account(`0x${'1'.repeat(40)}`) }
const creator = account(`0x${'2'.repeat(40)}`)
const here = { registry, creator }
const elsewhere = { creator, registry: { ...registry, chainId: 1 } }

const cipherUnder = (byte: number) =>
  naclCipher({ keys: sealingKeyRing([Buffer.alloc(32, byte)]), documentLimit: 2 ** 24 })
const own = cipherUnder(1)

describe('the packs of a root', () => {
  test.each([
    ['are noted of a memory that this server sealed', own, here, true],
    // Its packs may be blobs of others, which a sweep would remove with it.
    ['are not noted of a head that a stranger wrote', cipherUnder(2), here, false],
    ['are not noted of a memory for another registry', own, elsewhere, false],
  ])('%s', async (_, sealer, context, isNoted) => {
    const jobs = await sqliteJobStore(':memory:')
    onTestFinished(jobs.close)
    const notes = await packNotes(jobs, registry)
    const blobs = memoryBlobStore()
    const document = Buffer.from(JSON.stringify({ data: { text: 'a memory '.repeat(20_000) } }))
    const { sealed, headLength } = await sealer.seal(document, context, { blobs })
    const root = await blobs.put(sealed, headLength)
    await adoptPacks({ notes, inspect: own.inspect, registry }, root, sealed)
    expect(await notes.hasRoot(root)).toBe(isNoted)
    expect((await notes.read(creator)).roots.size).toBe(isNoted ? 1 : 0)
  })
})
