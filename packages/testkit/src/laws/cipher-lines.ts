import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Cipher, type Digest, digest, type Line, type SealContext } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryContext } from '../arbitraries/values.ts'
import { memoryBlobStore } from '../fakes/blob-store.ts'
import { forAll, type Law } from './law.ts'

/** The length of notes in bytes: enough that a cipher seals them in parts. */
const length = 200_000

const runs = { numRuns: 3 }
const seeds = fc.nat()
const missing = digest(`0x${'7'.repeat(64)}`)

/** Returns a document of notes that follow from a seed, and changed ones of it. */
function versionsOf(seed: number, count: number): readonly Uint8Array[] {
  const notes = Array.from({ length: Math.ceil(length / 128) }, (_, at) =>
    createHash('sha512').update(`${seed} ${at}`).digest('hex'),
  )
  return Array.from({ length: count }, (_, version) =>
    Buffer.from(JSON.stringify(notes.with((version * 7919) % notes.length, `version ${version}`))),
  )
}

/** Seals a document as the next version of a line, and stores it. */
async function save(
  cipher: Cipher,
  { document, context, line, blobs = memoryBlobStore() }: save.Input,
) {
  const { sealed, headLength } = await cipher.seal(document, context, { blobs, line })
  const { packs } = cipher.inspect(sealed.slice(0, headLength))
  return { sealed, packs, digest: await blobs.put(sealed, headLength) }
}

declare namespace save {
  type Input = {
    readonly document: Uint8Array
    readonly context: SealContext
    readonly line: Line
    readonly blobs?: ReturnType<typeof memoryBlobStore>
  }
}

/** The laws of lines of versions. */
export const lineLaws: readonly Law<Cipher>[] = [
  forAll(
    'opens each version of a line to its bytes',
    [seeds, arbitraryContext],
    async (cipher, seed, context) => {
      const blobs = memoryBlobStore()
      const saved: { sealed: Uint8Array; document: Uint8Array }[] = []
      let previous: Digest | undefined
      for (const document of versionsOf(seed, 4)) {
        const line = { name: 'ada', previous }
        const version = await save(cipher, { document, context, line, blobs })
        saved.push({ sealed: version.sealed, document })
        previous = version.digest
      }
      for (const { sealed, document } of saved) {
        const opened = await cipher.open(sealed, context, blobs)
        assert.equal(Buffer.compare(opened.document, document), 0)
      }
    },
    runs,
  ),
  forAll(
    'shares packs with versions of the same creator and name alone',
    [seeds, arbitraryContext],
    async (cipher, seed, context) => {
      const blobs = memoryBlobStore()
      const [document = new Uint8Array()] = versionsOf(seed, 1)
      const line = { name: 'ada' }
      const first = await save(cipher, { document, context, line, blobs })
      const { address: creator } = context.registry
      fc.pre(creator !== context.creator)
      for (const other of [
        { context: { ...context, creator }, name: 'ada' },
        { context, name: 'ada/trading' },
      ]) {
        const next = { name: other.name, previous: first.digest }
        const version = { document, context: other.context, line: next, blobs }
        const { packs } = await save(cipher, version)
        assert.deepEqual(
          packs.filter((pack) => first.packs.includes(pack)),
          [],
        )
      }
    },
    runs,
  ),
  forAll(
    'seals the next version of a line also without the last one',
    [seeds, arbitraryContext],
    async (cipher, seed, context) => {
      const blobs = memoryBlobStore()
      const [document = new Uint8Array()] = versionsOf(seed, 1)
      const previous = await blobs.put(Buffer.from('no sealed bundle'))
      for (const line of [missing, previous].map((it) => ({ name: 'ada', previous: it }))) {
        const { sealed } = await save(cipher, { document, context, line, blobs })
        const opened = await cipher.open(sealed, context, blobs)
        assert.equal(Buffer.compare(opened.document, document), 0)
      }
    },
    runs,
  ),
]
