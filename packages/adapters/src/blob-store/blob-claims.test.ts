import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Digest, digest, isFailure } from '@heirloom/core'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openBlobClaims, rootOf } from './blob-claims.ts'
import { cidOf, rawCode } from './cid.ts'
import { heliaBlobStore } from './helia.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claims-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = () => heliaBlobStore({ folder })
/** Returns random bytes: like sealed bundles, no two blobs share a block. */
const bytes = (length: number) => new Uint8Array(randomBytes(length))
const blocks = () =>
  readdirSync(join(folder, 'blocks'), { recursive: true, withFileTypes: true }).filter((it) =>
    it.isFile(),
  ).length

/** Returns the orphans that the next opening would find. */
const orphans = () => {
  const claims = openBlobClaims(join(folder, 'unclaimed'))
  claims.close()
  return claims.orphans.map(({ cids }) => rootOf(cids))
}

describe.each([1000, 3_500_000])('an unclaimed blob of %i bytes', (length) => {
  test('is removed by the sweep of the next opening, unlike the others', async () => {
    const first = await open()
    const [claimed, referenced, orphan] = [bytes(length), bytes(length), bytes(length)]
    const digests = [await first.put(claimed), await first.put(referenced), await first.put(orphan)]
    await first.claim(digests[0] as never)
    await first.close()

    const second = await open()
    await second.sweep(async (digest) => digest === digests[1])
    expect(await second.get(digests[0] as never)).toEqual(claimed)
    expect(await second.get(digests[1] as never)).toEqual(referenced)
    const gone = await second.get(digests[2] as never).catch((error: unknown) => error)
    expect(isFailure(gone, 'blob/not-found')).toBe(true)
    await second.close()
    expect(orphans()).toEqual([])
  })

  test('leaves no block behind', async () => {
    const first = await open()
    await first.put(bytes(length))
    await first.close()
    const second = await open()
    await second.sweep(async () => false)
    expect(blocks()).toBe(0)
    await second.close()
  })

  test('is not removed by a sweep of the opening that stored it', async () => {
    const store = await open()
    const digest = await store.put(bytes(length))
    await store.sweep(async () => false)
    expect((await store.get(digest)).length).toBe(length)
    await store.close()
  })
})

test('a removed blob leaves no orphan', async () => {
  const store = await open()
  await store.remove(await store.put(bytes(1000)))
  await store.close()
  expect(orphans()).toEqual([])
})

describe('the log', () => {
  const path = () => join(folder, 'unclaimed', 'notes')
  const [ones, twos] = ['11', '22'].map((byte) => digest(`0x${byte.repeat(32)}`)) as [
    Digest,
    Digest,
  ]
  const blob = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((hash) => digest(`0x${Buffer.from(hash).toString('hex')}`))

  /** Logs blobs, of which some are claimed, as a process does that is killed then. */
  const logBlobs = (blobs: readonly { readonly root: Digest; readonly isClaimed: boolean }[]) => {
    const claims = openBlobClaims(join(folder, 'unclaimed'))
    for (const { settle } of claims.orphans) settle()
    for (const { root, isClaimed } of blobs) {
      const unclaimed = claims.begin()
      unclaimed.add(cidOf(root, rawCode))
      unclaimed.end(root)
      if (isClaimed) claims.settle(root)
    }
    return claims
  }
  const someBlobs = fc.uniqueArray(fc.record({ root: blob, isClaimed: fc.boolean() }), {
    selector: ({ root }) => root,
    maxLength: 20,
  })

  test('names the blobs that were not claimed', () => {
    const holds = (blobs: readonly { readonly root: Digest; readonly isClaimed: boolean }[]) => {
      logBlobs(blobs).close()
      const left = blobs.filter(({ isClaimed }) => !isClaimed).map(({ root }) => root)
      expect(orphans()).toEqual(left)
      expect(orphans()).toEqual(left)
    }
    fc.assert(fc.property(someBlobs, holds))
  })

  test('truncated anywhere names the blobs logged before, and no other', () => {
    const holds = (blobs: readonly { readonly root: Digest }[], share: number) => {
      logBlobs(blobs.map((it) => ({ ...it, isClaimed: false }))).close()
      const whole = readFileSync(path(), 'utf8')
      const cut = whole.slice(0, Math.floor(share * whole.length))
      writeFileSync(path(), `${cut}\n7777777 ${cidOf(digest(`0x${'77'.repeat(32)}`), rawCode)}\n`)
      const before = cut.split('\n').filter((line) => /^\d+ \w{59}$/.test(line)).length
      const left = [...blobs.slice(0, before).map(({ root }) => root), `0x${'77'.repeat(32)}`]
      expect(orphans()).toEqual(left)
    }
    fc.assert(fc.property(someBlobs, fc.double({ min: 0, max: 1, noNaN: true }), holds))
  })

  test('is compacted, however many blobs come', () => {
    const orphan = { root: ones, isClaimed: false }
    const others = Array.from({ length: 10_000 }, () => ({ root: twos, isClaimed: true }))
    const claims = logBlobs([orphan, ...others])
    expect(statSync(path()).size).toBeLessThan(300_000)
    claims.close()
    expect(orphans()).toEqual([orphan.root])
  })

  test('stays readable after an entry that a full disk truncated', () => {
    const claims = logBlobs([{ root: ones, isClaimed: false }])
    appendFileSync(path(), `\n12 ${cidOf(twos, rawCode)}`.slice(0, -7))
    claims.begin().add(cidOf(twos, rawCode))
    claims.close()
    expect(orphans()).toEqual([ones, twos])
  })

  test('is not written once it is closed', () => {
    const claims = logBlobs([{ root: ones, isClaimed: false }])
    claims.close()
    claims.settle(ones)
    expect(() => claims.begin().add(cidOf(twos, rawCode))).toThrow('closed')
    expect(orphans()).toEqual([ones])
  })
})
