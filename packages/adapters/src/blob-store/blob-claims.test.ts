import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
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
import { cidOf, rawCode } from './cid.ts'
import { heliaBlobStore } from './helia.ts'
import { openBlobClaims, rootOf } from './blob-claims.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notes-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = () => heliaBlobStore({ folder, notes: true })
/** Like sealed bundles, no two have a block in common. */
const bytes = (length: number) => new Uint8Array(randomBytes(length))
const blocks = () =>
  readdirSync(join(folder, 'blocks'), { recursive: true, withFileTypes: true }).filter((it) =>
    it.isFile(),
  ).length

/** The blobs that the next opening would find noted. */
const noted = () => {
  const notes = openBlobClaims(join(folder, 'unclaimed'))
  notes.close()
  return notes.left.map(({ cids }) => rootOf(cids))
}

describe.each([1000, 3_500_000])('a blob of %i bytes that nobody claimed', (length) => {
  test('is swept away by the next opening, and the others stay', async () => {
    const first = await open()
    const [kept, wanted, orphan] = [bytes(length), bytes(length), bytes(length)]
    const digests = [await first.put(kept), await first.put(wanted), await first.put(orphan)]
    first.claim(digests[0] as never)
    await first.close()

    const second = await open()
    await second.sweep(async (digest) => digest === digests[1])
    expect(await second.get(digests[0] as never)).toEqual(kept)
    expect(await second.get(digests[1] as never)).toEqual(wanted)
    const gone = await second.get(digests[2] as never).catch((error: unknown) => error)
    expect(isFailure(gone, 'blob/not-found')).toBe(true)
    await second.close()
    expect(noted()).toEqual([])
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

  test('is not swept by the opening that put it', async () => {
    const store = await open()
    const digest = await store.put(bytes(length))
    await store.sweep(async () => false)
    expect((await store.get(digest)).length).toBe(length)
    await store.close()
  })
})

test('what is removed needs no note', async () => {
  const store = await open()
  await store.remove(await store.put(bytes(1000)))
  await store.close()
  expect(noted()).toEqual([])
})

describe('the notes', () => {
  const path = () => join(folder, 'unclaimed', 'notes')
  const [ones, twos] = ['11', '22'].map((byte) => digest(`0x${byte.repeat(32)}`)) as [
    Digest,
    Digest,
  ]
  const blob = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((hash) => digest(`0x${Buffer.from(hash).toString('hex')}`))

  /** BlobClaims blobs, of which some are forgotten, and leaves them as a process that is killed does. */
  const noting = (blobs: readonly { readonly root: Digest; readonly stays: boolean }[]) => {
    const notes = openBlobClaims(join(folder, 'unclaimed'))
    for (const { forget } of notes.left) forget()
    for (const { root, stays } of blobs) {
      const note = notes.begin()
      note.add(cidOf(root, rawCode))
      note.end(root)
      if (stays) notes.forget(root)
    }
    return notes
  }
  const some = fc.uniqueArray(fc.record({ root: blob, stays: fc.boolean() }), {
    selector: ({ root }) => root,
    maxLength: 20,
  })

  test('left behind are those that were not forgotten', () => {
    const holds = (blobs: readonly { readonly root: Digest; readonly stays: boolean }[]) => {
      noting(blobs).close()
      const left = blobs.filter(({ stays }) => !stays).map(({ root }) => root)
      expect(noted()).toEqual(left)
      expect(noted()).toEqual(left)
    }
    fc.assert(fc.property(some, holds))
  })

  test('cut off anywhere name no blob that was never noted, and all that were before', () => {
    const holds = (blobs: readonly { readonly root: Digest }[], share: number) => {
      noting(blobs.map((it) => ({ ...it, stays: false }))).close()
      const whole = readFileSync(path(), 'utf8')
      const cut = whole.slice(0, Math.floor(share * whole.length))
      writeFileSync(path(), `${cut}\n7777777 ${cidOf(digest(`0x${'77'.repeat(32)}`), rawCode)}\n`)
      const before = cut.split('\n').filter((line) => /^\d+ \w{59}$/.test(line)).length
      const left = [...blobs.slice(0, before).map(({ root }) => root), `0x${'77'.repeat(32)}`]
      expect(noted()).toEqual(left)
    }
    fc.assert(fc.property(some, fc.double({ min: 0, max: 1, noNaN: true }), holds))
  })

  test('take no more room than a few thousand blobs need, however many come', () => {
    const kept = { root: ones, stays: false }
    const others = Array.from({ length: 10_000 }, () => ({ root: twos, stays: true }))
    const notes = noting([kept, ...others])
    expect(statSync(path()).size).toBeLessThan(300_000)
    notes.close()
    expect(noted()).toEqual([kept.root])
  })

  test('after one that a full disk cut off are whole', () => {
    const notes = noting([{ root: ones, stays: false }])
    appendFileSync(path(), `\n12 ${cidOf(twos, rawCode)}`.slice(0, -7))
    notes.begin().add(cidOf(twos, rawCode))
    notes.close()
    expect(noted()).toEqual([ones, twos])
  })

  test('are not written to another file once they are closed', () => {
    const notes = noting([{ root: ones, stays: false }])
    notes.close()
    // The next file to be opened gets the number that the notes had.
    const other = openSync(join(folder, 'other'), 'w')
    notes.forget(ones)
    expect(() => notes.begin().add(cidOf(twos, rawCode))).toThrow('closed')
    closeSync(other)
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('')
    expect(noted()).toEqual([ones])
  })
})
