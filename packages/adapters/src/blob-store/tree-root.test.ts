import { randomBytes } from 'node:crypto'
import { unixfs } from '@helia/unixfs'
import * as dagPb from '@ipld/dag-pb'
import { MemoryBlockstore } from 'blockstore-core'
import fc from 'fast-check'
import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'
import { expect, test } from 'vitest'
import { rawCode } from './cid.ts'
import { leaves } from './tree-leaves.ts'
import { encodeRoot } from './tree-root.ts'

const length = fc.integer({ min: 1, max: 300 })
const lengths = fc.oneof(
  { weight: 5, arbitrary: fc.array(length, { minLength: 1, maxLength: 30 }) },
  // More than one node has links for.
  fc.array(length, { minLength: 1024, maxLength: 2100, size: 'max' }),
)

test('the root over leaves is the one that UnixFS writes', async () => {
  await fc.assert(
    fc.asyncProperty(lengths, async (all) => {
      const total = all.reduce((sum, it) => sum + it, 0)
      const bytes = randomBytes(total)
      const ends = all.map((_, at) => all.slice(0, at + 1).reduce((sum, it) => sum + it, 0))
      const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
      const chunker = async function* () {
        yield* pieces
      }
      const options = { reduceSingleLeafToSelf: false, chunker, bufferImporter: leaves }
      const written = await unixfs({ blockstore: new MemoryBlockstore() }).addBytes(bytes, options)
      const parts = await Promise.all(
        pieces.map(async (piece) => ({
          cid: CID.createV1(rawCode, await sha256.digest(piece)),
          length: piece.length,
        })),
      )
      const root = encodeRoot(parts, dagPb)
      expect((await sha256.digest(root)).bytes).toEqual(written.multihash.bytes)
    }),
    { numRuns: 40, seed: 3 },
  )
})
