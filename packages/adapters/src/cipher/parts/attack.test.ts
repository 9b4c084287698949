import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { account, type Digest, isFailure } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { times } from '../../../../../test/tier.ts'
import { readHeader } from '../read-header.ts'
import { context } from '../test/bound-cipher.ts'
import { boxAt, openChunkOf } from './boxes.ts'
import type { ChunkEntry } from './list-node.ts'
import { openLines, secretbox, type Version } from './test/line.ts'
import { documentOf, notesOf } from './test/notes.ts'

const key = Buffer.alloc(32, 7)
const lines = openLines(key)
const { blobs, cipher, save, listOf } = lines
const notes = notesOf(300_000)
const document = documentOf(notes)
const edited = documentOf(notes.with(400, 'the password is swordfish').with(900, 'changed'))

const first = await save(document)
const second = await save(edited, { previous: first.digest })

/** Returns all strings of 24 bytes in blobs, at any position. */
function shinglesOf(all: readonly Uint8Array[]): Set<string> {
  const found = new Set<string>()
  for (const bytes of all) {
    const text = Buffer.from(bytes).toString('latin1')
    for (let at = 0; at + 24 <= text.length; at++) found.add(text.slice(at, at + 24))
  }
  return found
}

describe('stored bytes', () => {
  test('are never shared across creators, lines, sealing keys and documents of no line', async () => {
    const creator = account(`0x${'5'.repeat(40)}`)
    const versions = [
      await save(document, { context: { ...context, creator }, previous: first.digest }),
      await save(document, { name: 'tester/other', previous: first.digest }),
      await openLines(Buffer.alloc(32, 8), blobs).save(document, { previous: first.digest }),
      await save(document, { name: '', previous: first.digest }),
    ]
    const known = shinglesOf(first.added)
    for (const { added } of versions) {
      expect([...shinglesOf(added)].filter((it) => known.has(it))).toEqual([])
    }
  })

  test('hold nothing of the document', () => {
    const held = Buffer.concat([...first.added, first.sealed, ...second.added, second.sealed])
    for (const it of ['swordfish', notes[5]?.slice(0, 12), 'tester/ada', 'category'])
      expect(held.includes(it ?? '')).toBe(false)
  })
})

describe('whoever has all blobs, and opens one version', () => {
  /** Returns the chunks of a version, opened by its own keys. */
  const plainOf = async (version: Version) => {
    const { chunks, packOf } = await listOf(version)
    const open = (entry: ChunkEntry) =>
      Buffer.from(openChunkOf(secretbox, entry, boxAt(entry, packOf(entry.tag) as Uint8Array)))
    return { chunks, packOf, texts: chunks.map((entry) => open(entry).toString('latin1')) }
  }

  test('opens of the others only chunks that are equal to its own', async () => {
    const [own, other] = [await plainOf(first), await plainOf(second)]
    const held = new Set(own.texts)
    let secret = 0
    for (const [at, entry] of other.chunks.entries()) {
      const pack = other.packOf(entry.tag) as Uint8Array
      const opened = own.chunks.some(({ key: tried }) => opensWith(tried, entry, pack))
      expect(opened).toBe(held.has(other.texts[at] as string))
      if (!opened) secret++
    }
    expect(secret).toBeGreaterThan(0)
  })

  const opensWith = (tried: Uint8Array, entry: ChunkEntry, pack: Uint8Array): boolean => {
    try {
      openChunkOf(secretbox, { ...entry, key: tried }, boxAt(entry, pack))
      return true
    } catch {
      return false
    }
  }

  test('opens no private node of theirs, nor their root', async () => {
    const [own, other] = [await listOf(first), await listOf(second)]
    const [ownNodes, otherNodes] = [own, other].map(({ nodes }) => nodes.map(({ entry }) => entry))
    const keys = [...(ownNodes ?? []), ...own.chunks].map((it) => it.key)
    const known = new Set(ownNodes?.map(({ id }) => Buffer.from(id).toString('hex')))
    const foreign = (otherNodes ?? []).filter(
      ({ id }) => !known.has(Buffer.from(id).toString('hex')),
    )
    expect(foreign.length).toBeGreaterThan(0)
    for (const { offset, stored, tag } of foreign) {
      const box = other.packOf(tag)?.slice(offset, offset + stored) as Uint8Array
      for (const tried of keys) {
        const message = new Uint8Array(stored - 16)
        expect(secretbox.open({ message, box, nonce: new Uint8Array(24), key: tried })).toBe(false)
      }
    }
  })
})

describe('parts of several versions never make another one', () => {
  /** Returns the code of the failure, or whether the document is that of the version. */
  const outcomeOf = (sealed: Uint8Array, get: (digest: Digest) => Promise<Uint8Array>) =>
    cipher.open(sealed, context, { get }).then(
      (opened) => Buffer.compare(opened.document, edited) === 0,
      (error: unknown) => (isFailure(error) ? error.code : String(error)),
    )

  test('with the header of one and the root of another', async () => {
    const [one, other] = [first, second].map(({ sealed }) => readHeader(sealed).length)
    const spliced = [
      [first.sealed.subarray(0, one), second.sealed.subarray(other)],
      [second.sealed.subarray(0, other), first.sealed.subarray(one)],
    ]
    for (const parts of spliced) {
      const sealed = Uint8Array.from(Buffer.concat(parts))
      expect(await outcomeOf(sealed, blobs.get)).toBe('bundle/unreadable')
    }
  })

  /** Returns other bytes, or the same ones cut short, twice, or with another bit. */
  function damage(
    bytes: Uint8Array,
    { kind, where, other }: { kind: number; where: number; other: Uint8Array },
  ): Uint8Array {
    const bit = where % (8 * bytes.length)
    const flipped = bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
    const twice = Uint8Array.from(Buffer.concat([bytes, bytes]))
    return [other, bytes.slice(0, where % bytes.length), twice, flipped][kind] as Uint8Array
  }

  test('with packs swapped, cut, prolonged or altered by a store', async () => {
    const all = [...new Set([...first.packs, ...second.packs])]
    const change = fc.record({ at: fc.nat(), to: fc.nat(), where: fc.nat(), kind: fc.nat(3) })
    await fc.assert(
      fc.asyncProperty(change, async ({ at, to, where, kind }) => {
        const target = second.packs[at % second.packs.length]
        const other = await blobs.get(all[to % all.length] as Digest)
        const outcome = await outcomeOf(second.sealed, async (digest) => {
          const bytes = await blobs.get(digest)
          return digest === target ? damage(bytes, { kind, where, other }) : bytes
        })
        // A change in the padding, or in a part that this version does not use, changes nothing.
        expect([true, 'bundle/unreadable']).toContain(outcome)
      }),
      { numRuns: times(15, 60), seed: 8 },
    )
  })

  test('with the digests of packs in another order, or of another version', async () => {
    const { length } = readHeader(second.sealed)
    const bytes = Buffer.from(second.sealed)
    const digests = second.packs.map((pack) => Buffer.from(pack.slice(2), 'hex'))
    const start = bytes.indexOf(digests[0] as Buffer)
    assert.ok(start > 0 && start < length)
    const reversed = Buffer.from(bytes)
    reversed.set(Buffer.concat(digests.toReversed()), start)
    const foreign = Buffer.from(bytes)
    foreign.set(randomBytes(32), start)
    for (const sealed of [reversed, foreign]) {
      expect(await outcomeOf(Uint8Array.from(sealed), blobs.get)).toBe('bundle/unreadable')
      expect(cipher.inspect(Uint8Array.from(sealed)).isAuthentic).toBe(false)
    }
  })

  test('with a line key of another version', async () => {
    const line = (sealed: Uint8Array) => {
      const bytes = Buffer.from(sealed)
      const start = bytes.indexOf(Buffer.from('ff0300000088', 'hex')) + 6
      return { bytes, start, value: bytes.subarray(start, start + 136) }
    }
    const [own, other] = [line(second.sealed), line(first.sealed)]
    const spliced = Buffer.from(own.bytes)
    spliced.set(other.value, own.start)
    const previous = await blobs.put(Uint8Array.from(spliced))
    // The section is not bound, so the version opens; but nobody goes on from it.
    expect(await outcomeOf(Uint8Array.from(spliced), blobs.get)).toBe(true)
    const next = await save(document, { previous })
    expect(next.packs.filter((pack) => second.packs.includes(pack))).toEqual([])
  })
})
