import assert from 'node:assert/strict'
import { account, type BlobStore, type Digest, itemsRoot } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { mostPacks } from '../envelope.ts'
import { sha256 } from '../hashes.ts'
import { context, drawsOf } from '../test/bound-cipher.ts'
import { openLines, type Version } from './test/line.ts'
import { documentOf, notesOf } from './test/notes.ts'

/** A block of 1 MiB and the head of a pack, in bytes. */
const longestStretch = 1_048_576 + 256

const lines = openLines()
const { blobs, cipher, save } = lines
const notes = notesOf(400_000)
const documents = [notes, [...notes, 'one more'], ['a first one', ...notes]].map(documentOf)
const [document = new Uint8Array(), appended = document] = documents

async function opens({ sealed, contentHash, document: expected }: Version): Promise<void> {
  const opened = await cipher.open(sealed, context, blobs)
  assert.equal(Buffer.compare(opened.document, expected), 0)
  expect(opened.contentHash).toBe(contentHash)
}

describe('the next version of a line', () => {
  test('adds only what changed, and each version opens, whole and in pieces', async () => {
    let previous: Digest | undefined
    for (const [at, it] of documents.entries()) {
      const version = await save(it, { previous })
      previous = version.digest
      await opens(version)
      if (at > 0) expect(version.stored).toBeLessThan(16_384)
      const reader = await cipher.reader(version.sealed, context, blobs)
      const segments = await reader.segments()
      const pieces = await Promise.all(segments.map((_, segment) => reader.read(segment)))
      assert.equal(Buffer.compare(Buffer.concat(pieces), it), 0)
      expect(segments.map(({ offset }) => offset).slice(1)).toEqual(
        segments.slice(0, -1).map(({ offset, length }) => offset + length),
      )
    }
  })

  test('is read in pieces by stretches of its packs, and refused when a pack is cut short', async () => {
    const { sealed } = await save(document)
    const read: number[] = []
    const seen: Pick<BlobStore, 'get'> = {
      get: async (digest, stretch) => {
        const bytes = await blobs.get(digest, stretch)
        read.push(bytes.length)
        return bytes
      },
    }
    const reader = await cipher.reader(sealed, context, seen)
    const last = (await reader.segments()).length - 1
    await reader.read(last)
    expect(Math.max(...read)).toBeLessThanOrEqual(longestStretch)
    const cut: Pick<BlobStore, 'get'> = {
      get: async (digest, stretch) => {
        const bytes = await blobs.get(digest, stretch)
        return stretch === undefined ? bytes : bytes.subarray(0, 9)
      },
    }
    const short = await cipher.reader(sealed, context, cut)
    await expect(short.read(last)).rejects.toMatchObject({ code: 'bundle/unreadable' })
  })

  test('adds no pack for the same document', async () => {
    const first = await save(document)
    const next = await save(document, { previous: first.digest })
    expect(next.packs).toEqual(first.packs)
    expect(next.contentHash).not.toBe(first.contentHash)
    await opens(next)
  })

  test('commits to the same items as a first version does', async () => {
    const long: readonly object[] = notesOf(2_500_000).map((text, at) => ({ id: `${at}`, text }))
    const textOf = (all: readonly object[]) => Buffer.from(documentOf(all)).toString()
    const [whole, half] = [textOf(long), Math.floor(long.length / 2)]
    const texts = [
      whole,
      textOf([...long, { id: 'more' }]),
      textOf([{ id: 'first' }, ...long]),
      textOf(long.with(half, { id: 'other', text: '],"x":[' }).with(half + 900, { id: 'one' })),
      textOf([...long.slice(half), ...long.slice(0, half)]),
      textOf([long.slice(0, half), long.slice(half)]),
      // Two members of one name, and text that is no JSON, have no items; nor has what is read of them.
      whole.replace(`"id":"${half}"`, `"id":"${half}","id":"twice"`),
      whole.replace(`{"id":"${half}"`, `{"id":"${half}`),
      whole,
    ]
    const roots: (string | undefined)[] = []
    let previous: Digest | undefined
    for (const text of texts) {
      const version = await save(Buffer.from(text), { previous })
      const { document: opened, salt } = await cipher.open(version.sealed, context, blobs)
      const root = itemsRoot(opened, { salt, sha256 })?.root
      expect(cipher.inspect(version.sealed).itemsRoot).toBe(root)
      roots.push(root)
      previous = version.digest
    }
    expect(roots.map((root) => root !== undefined)).toEqual(
      texts.map((_, at) => at !== 6 && at !== 7),
    )
  })

  test('never names more than 32 packs, nor many bytes that it does not use', async () => {
    let version = await save(document)
    const first = version.stored
    for (let at = 0; at < 45; at++) {
      const edited = notes.with(
        (at * 131) % notes.length,
        `edit ${at} ${Buffer.from(drawsOf(`${at}`)(99)).toString('hex')}`,
      )
      version = await save(documentOf(edited), { previous: version.digest })
      expect(version.packs.length).toBeLessThanOrEqual(mostPacks)
    }
    await opens(version)
    const named = await Promise.all(version.packs.map((pack) => blobs.get(pack)))
    const total = named.reduce((sum, { length }) => sum + length, 0)
    expect(total).toBeLessThan(1.3 * first + 600_000)
  })
})

describe('a version that cannot go on from the last one is whole', () => {
  const creator = account(`0x${'5'.repeat(40)}`)
  const others = {
    'of another creator': { context: { ...context, creator } },
    'of another registry': {
      context: { ...context, registry: { ...context.registry, chainId: 1 } },
    },
    'of another name': { name: 'tester/other' },
    'of no line': { name: '' },
  }

  test.each(Object.entries(others))('%s', async (_, other) => {
    const first = await save(document, other)
    const next = await save(appended, { previous: first.digest })
    expect(next.packs.filter((pack) => first.packs.includes(pack))).toEqual([])
    await opens(next)
  })

  test('of another sealing key', async () => {
    const first = await openLines(Buffer.alloc(32, 8), blobs).save(document)
    const next = await save(appended, { previous: first.digest })
    expect(next.packs.filter((pack) => first.packs.includes(pack))).toEqual([])
    await opens(next)
  })

  test('with any of its packs missing or altered', async () => {
    const { packs } = await save(document)
    for (const at of packs.keys()) {
      const { blobs: own, cipher: opener, save: saveTo } = openLines()
      const first = await saveTo(document)
      const pack = first.packs[at] as Digest
      await own.remove(pack)
      const next = await saveTo(appended, { previous: first.digest })
      expect(next.packs).not.toContain(pack)
      const opened = await opener.open(next.sealed, context, own)
      assert.equal(Buffer.compare(opened.document, appended), 0)
    }
  })

  test('when its envelope is cut short, or is none', async () => {
    const { sealed } = await save(document)
    for (const bytes of [sealed.slice(0, -1), Buffer.from('none')]) {
      const next = await save(appended, { previous: await blobs.put(bytes) })
      await opens(next)
    }
  })
})
