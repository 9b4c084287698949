import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  type Cipher,
  isFailure,
  itemsOf,
  itemsRoot,
  salt as readSalt,
  type SealContext,
  sameContext,
  saverKinds,
} from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryBlob, arbitraryBytes32, arbitraryContext } from '../arbitraries/values.ts'
import { memoryBlobStore } from '../fakes/blob-store.ts'
import { lineLaws } from './cipher-lines.ts'
import { forAll, type Law } from './law.ts'
import { refuses } from './refuses.ts'

const small = fc.uint8Array({ maxLength: 300 })
const tail = fc.uint8Array({ minLength: 1, maxLength: 40 })
const cuts = fc.array(fc.nat(), { maxLength: 3 })
const otherContexts = arbitraryContext

/** A text long enough that a part of it occurs in sealed bytes only by a leak. */
const secret = fc
  .tuple(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.integer({ min: 1, max: 200 }))
  .map(([bytes, times]) => `{"secret":"${bytes.join('-')} ${bytes.join('+').repeat(times)}"}`)
const excerptLength = 12

/** JSON objects whose values anybody may read. */
const texts = fc
  .dictionary(
    fc.stringMatching(/^[a-z]{1,3}$/),
    fc.oneof(fc.nat(), fc.stringMatching(/^[a-z]{0,9}$/)),
  )
  .map((data) => new TextEncoder().encode(JSON.stringify({ data })))

/** Those who save, with names of any length. */
const savers = fc
  .tuple(
    fc.constantFrom(...saverKinds),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.boolean(),
  )
  .map(([kind, name, hasOwnLine]) => ({ kind, name, hasOwnLine }))

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()

/** The store of all packs. */
const blobs = memoryBlobStore()

/** The laws of every `Cipher`. */
export const cipherLaws: readonly Law<Cipher>[] = [
  forAll(
    'opens a sealed document to the same bytes',
    [arbitraryBlob, arbitraryContext],
    async (cipher, document, context) => {
      const { sealed } = await cipher.seal(document, context, { blobs })
      const opened = await cipher.open(sealed, context, blobs)
      assert.equal(Buffer.compare(opened.document, document), 0)
    },
  ),
  forAll(
    'reads a sealed document in pieces with the same bytes',
    [arbitraryBlob, arbitraryContext],
    async (cipher, document, context) => {
      const { sealed } = await cipher.seal(document, context, { blobs })
      const reader = await cipher.reader(sealed, context, blobs)
      assert.equal(reader.length, document.length)
      const segments = await reader.segments()
      const pieces = await Promise.all(segments.map((_, index) => reader.read(index)))
      assert.equal(Buffer.compare(Buffer.concat(pieces), document), 0)
      assert.deepEqual(
        segments.map(({ length }) => length),
        pieces.map(({ length }) => length),
      )
    },
  ),
  forAll(
    'returns the same content hash when sealing and opening',
    [small, arbitraryContext],
    async (cipher, document, context) => {
      const { sealed, contentHash } = await cipher.seal(document, context, { blobs })
      assert.equal((await cipher.open(sealed, context, blobs)).contentHash, contentHash)
    },
  ),
  forAll(
    'computes the content hash as sha256 of the salt and the document',
    [arbitraryBlob, arbitraryContext],
    async (cipher, document, context) => {
      const opened = await cipher.open(
        (await cipher.seal(document, context, { blobs })).sealed,
        context,
        blobs,
      )
      const salt = Buffer.from(opened.salt.slice(2), 'hex')
      const sum = createHash('sha256').update(salt).update(opened.document).digest('hex')
      assert.equal(opened.contentHash, `0x${sum}`)
    },
  ),
  forAll(
    'seals one document differently each time',
    [small, arbitraryContext],
    async (cipher, document, context) => {
      const one = await cipher.seal(document, context, { blobs })
      const other = await cipher.seal(document, context, { blobs })
      assert.notEqual(Buffer.compare(one.sealed, other.sealed), 0)
      assert.notEqual(one.contentHash, other.contentHash)
    },
  ),
  forAll(
    'seals under the salt that is given',
    [small, arbitraryContext, arbitraryBytes32],
    async (cipher, document, context, text) => {
      const salt = readSalt(text)
      const { sealed } = await cipher.seal(document, context, { blobs, salt })
      assert.equal((await cipher.open(sealed, context, blobs)).salt, salt)
    },
  ),
  forAll(
    'reveals nothing of the document in the sealed bytes',
    [secret, fc.nat(), arbitraryContext],
    async (cipher, text, start, context) => {
      const document = Buffer.from(text)
      const sealed = Buffer.from((await cipher.seal(document, context, { blobs })).sealed)
      for (
        let at = start % excerptLength;
        at + excerptLength <= document.length;
        at += excerptLength
      ) {
        assert.equal(sealed.indexOf(document.subarray(at, at + excerptLength)), -1)
      }
    },
  ),
  forAll(
    'refuses a sealed bundle with one changed bit with `bundle/unreadable`',
    [arbitraryBlob, fc.nat(), arbitraryContext],
    async (cipher, document, where, context) => {
      const changed = (await cipher.seal(document, context, { blobs })).sealed.slice()
      const bit = where % (changed.length * 8)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      await refuses('bundle/unreadable', cipher.open(changed, context, blobs))
    },
  ),
  forAll(
    'refuses a truncated or extended sealed bundle with `bundle/unreadable`',
    [arbitraryBlob, fc.nat(), tail, arbitraryContext],
    async (cipher, document, where, more, context) => {
      const { sealed } = await cipher.seal(document, context, { blobs })
      const cut = sealed.slice(0, where % sealed.length)
      await refuses('bundle/unreadable', cipher.open(cut, context, blobs))
      const extended = Uint8Array.from(Buffer.concat([sealed, more]))
      await refuses('bundle/unreadable', cipher.open(extended, context, blobs))
    },
  ),
  forAll(
    'refuses bytes that it did not seal with `bundle/unreadable`',
    [arbitraryBlob, arbitraryContext],
    (cipher, bytes, context) => refuses('bundle/unreadable', cipher.open(bytes, context, blobs)),
  ),
  forAll(
    'refuses a splice of several sealed bundles with `bundle/unreadable`',
    [small, small, cuts, arbitraryContext],
    async (cipher, one, other, at, context) => {
      const bundles = [
        await cipher.seal(one, context, { blobs }),
        await cipher.seal(other, context, { blobs }),
      ]
      for (const spliced of splicesOf(bundles, at)) {
        await refuses('bundle/unreadable', cipher.open(spliced, context, blobs))
      }
    },
  ),
  forAll(
    'refuses to open in another context with `access/copied`',
    [arbitraryBlob, arbitraryContext, otherContexts],
    async (cipher, document, context, it) => {
      const { sealed } = await cipher.seal(document, context, { blobs })
      for (const changed of changedContexts(context, it)) {
        await refuses('access/copied', cipher.open(sealed, changed, blobs))
      }
    },
  ),
  forAll(
    'returns the context and the content hash of a sealed bundle',
    [small, arbitraryContext],
    async (cipher, document, context) => {
      const { sealed, contentHash } = await cipher.seal(document, context, { blobs })
      assert.deepEqual(cipher.inspect(sealed), {
        context,
        contentHash,
        packs: [],
        isAuthentic: true,
      })
    },
  ),
  forAll(
    'inspects a head without its bundle and refuses other bytes',
    [small, arbitraryContext, fc.nat()],
    async (cipher, document, context, where) => {
      const { sealed, headLength } = await cipher.seal(document, context, { blobs })
      const head = sealed.slice(0, headLength)
      assert.deepEqual(cipher.inspect(head), cipher.inspect(sealed))
      for (const bytes of [head.slice(0, where % headLength), document]) {
        await refuses('bundle/unreadable', inspect(cipher, bytes))
      }
    },
  ),
  forAll(
    'never reports a changed head as authentic',
    [small, arbitraryContext, fc.nat()],
    async (cipher, document, context, where) => {
      const { sealed, headLength } = await cipher.seal(document, context, { blobs })
      const head = sealed.slice(0, headLength)
      const bit = where % (headLength * 8)
      head[bit >> 3] = (head[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const seal = await inspect(cipher, head).catch((error: unknown) => {
        assert.ok(isFailure(error, 'bundle/unreadable'))
      })
      assert.notEqual(seal?.isAuthentic, true)
    },
  ),
  forAll(
    'returns the length of a sealed bundle by its head alone',
    [arbitraryBlob, arbitraryContext],
    async (cipher, document, context) => {
      const { sealed, headLength } = await cipher.seal(document, context, { blobs })
      for (const head of [sealed.slice(0, headLength), sealed]) {
        assert.equal(await cipher.sealedLength(head, context), sealed.length)
      }
    },
  ),
  forAll(
    'returns no length by a head that was changed or is of another context',
    [arbitraryContext, arbitraryContext, fc.nat()],
    async (cipher, own, other, at) => {
      const { sealed, headLength } = await cipher.seal(new Uint8Array(9), own, { blobs })
      const head = sealed.slice(0, headLength)
      for (const changed of changedContexts(own, other)) {
        await refuses('access/copied', cipher.sealedLength(head, changed))
      }
      const bit = at % (headLength * 8)
      head[bit >> 3] = (head[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      await refuses('bundle/unreadable', cipher.sealedLength(head, own))
    },
  ),
  forAll(
    'commits in the head to the items of a document under its salt',
    [fc.oneof(texts, small), arbitraryContext],
    async (cipher, document, context) => {
      const { sealed } = await cipher.seal(document, context, { blobs })
      const { salt } = await cipher.open(sealed, context, blobs)
      const expected = itemsRoot(document, { salt, sha256 })
      assert.equal(cipher.inspect(sealed).itemsRoot, expected?.root)
    },
  ),
  forAll(
    'returns who saved a memory by an authentic head alone',
    [small, arbitraryContext, savers, fc.nat()],
    async (cipher, text, it, by, where) => {
      const { sealed, headLength } = await cipher.seal(text, it, { blobs, savedBy: by })
      const head = sealed.slice(0, headLength)
      assert.deepEqual(cipher.inspect(head).savedBy, by)
      const { document } = await cipher.open(sealed, it, blobs)
      assert.equal(Buffer.compare(document, text), 0)
      const bit = where % (headLength * 8)
      head[bit >> 3] = (head[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const changed = await inspect(cipher, head).catch(() => undefined)
      assert.equal(changed?.savedBy, undefined)
    },
  ),
  forAll(
    'shows the chosen excerpts in the head and refuses others with `excerpt/not-in-memory`',
    [texts, fc.nat(), arbitraryContext],
    async (cipher, document, which, context) => {
      const sealShowing = (excerpts: readonly string[]) =>
        cipher.seal(document, context, { blobs, excerpts })
      const { length, [which % (itemsOf(document)?.length || 1)]: item } = itemsOf(document) ?? []
      const chosen = item === undefined ? [] : [item.pointer]
      const { sealed, headLength } = await sealShowing(chosen)
      const { salt } = await cipher.open(sealed, context, blobs)
      const { excerpts = [] } = cipher.inspect(sealed.slice(0, headLength))
      const items = itemsRoot(document, { salt, sha256 })
      assert.deepEqual(
        excerpts,
        chosen.map((pointer) => items?.prove(pointer)),
      )
      for (const pointer of ['', '/nowhere', `/${length}`]) {
        await refuses('excerpt/not-in-memory', sealShowing([...chosen, pointer]))
      }
    },
  ),
  ...lineLaws,
]

type Bundle = Awaited<ReturnType<Cipher['seal']>>

/** Returns splices with the first part of one bundle and the rest of the other. */
function splicesOf(
  [one, other]: readonly Bundle[],
  cuts: readonly number[],
): readonly Uint8Array[] {
  assert.ok(one && other)
  const ends = [one.headLength, ...cuts.map((cut) => cut % one.sealed.length)]
  return ends
    .map((end) => Buffer.concat([one.sealed.subarray(0, end), other.sealed.subarray(end)]))
    .filter((it) => !it.equals(one.sealed) && !it.equals(other.sealed))
    .map((it) => Uint8Array.from(it))
}

/** Returns contexts that each differ from `context` in one part. */
function changedContexts(context: SealContext, other: SealContext): readonly SealContext[] {
  const { registry } = context
  const contexts = [
    { ...context, creator: other.creator },
    { ...context, registry: { ...registry, chainId: other.registry.chainId } },
    { ...context, registry: { ...registry, address: other.registry.address } },
  ]
  return contexts.filter((it) => !sameContext(it, context))
}

const inspect = async (cipher: Cipher, bytes: Uint8Array) => cipher.inspect(bytes)
