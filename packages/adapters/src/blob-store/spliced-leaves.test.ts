import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account, type Digest, isFailure, type SealContext } from '@heirloom/core'
import * as dagPb from '@ipld/dag-pb'
import fc from 'fast-check'
import { CID } from 'multiformats/cid'
import { sha256 } from 'multiformats/hashes/sha2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { times } from '../../../../test/tier.ts'
import { naclCipher, sealingKeyRing } from '../cipher/nacl.ts'
import { boundCipher, context } from '../cipher/test/bound-cipher.ts'
import { cidOf, digestOf, treeCode } from './cid.ts'
import { DurableBlockstore } from './durable-blockstore.ts'
import { heliaBlobStore } from './helia.ts'

/** The owner of one envelope; the other was sealed for the attacker, by the same server. */
const victim = context
const attacker: SealContext = { ...context, creator: account(`0x${'5'.repeat(40)}`) }
const key = randomBytes(32)
const cipher = naclCipher({ keys: sealingKeyRing([key]), documentLimit: 2 ** 24 })

const folder = mkdtempSync(join(tmpdir(), 'spliced-leaves-'))
let store: Awaited<ReturnType<typeof heliaBlobStore>>
let blocks: DurableBlockstore
const documents: Uint8Array[] = []
const roots: dagPb.PBNode[] = []
beforeAll(async () => {
  store = await heliaBlobStore({ folder })
  blocks = await DurableBlockstore.open(folder)
  for (const sealedFor of [victim, attacker]) {
    // Noise is not compressed, so that both trees have the same lengths.
    const document = randomBytes(2_500_000)
    const { sealed, headLength } = await boundCipher([key], { context: sealedFor }).seal(document)
    const stored = await store.put(sealed, headLength)
    documents.push(new Uint8Array(document))
    roots.push(dagPb.decode(await blocks.read(cidOf(stored, treeCode))))
  }
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** Stores a tree with leaves of both trees, as anyone can who has the blocks; returns its digest. */
async function splice(choice: readonly number[]): Promise<Digest> {
  const links = choice.map((from, at) => roots[from]?.Links[at] as dagPb.PBLink)
  const block = dagPb.encode({ ...(roots[0] as dagPb.PBNode), Links: links })
  const cid = CID.createV1(treeCode, await sha256.digest(block))
  await blocks.put(cid, block)
  return digestOf(cid)
}

/** Reads and opens a tree in a context; returns the document, or the code of the failure. */
async function openIn(sealedFor: SealContext, digest: Digest): Promise<Uint8Array | string> {
  const opened = cipher
    .open(await store.get(digest), sealedFor, store)
    .then(({ document }) => document)
  return opened.catch((error: unknown) => (isFailure(error) ? error.code : String(error)))
}

describe('a tree with the leaves of two envelopes', () => {
  test('has a header, and leaves that are as long in both', () => {
    const [one, other] = roots.map(({ Links }) => Links.map(({ Tsize }) => Tsize))
    expect(one).toEqual(other)
    expect(one?.length).toBe(4)
  })

  const choices = Array.from({ length: 2 ** 4 }, (_, bits) =>
    [0, 1, 2, 3].map((at) => (bits >> at) & 1),
  )

  test.each(choices)(
    'opens only whole, and for its creator: leaves of %d, %d, %d, %d',
    async (...choice) => {
      const digest = await splice(choice)
      const [header = 0] = choice
      const [owner, other] = header === 0 ? [victim, attacker] : [attacker, victim]
      expect(await openIn(other, digest)).toBe('access/copied')
      const opened = await openIn(owner, digest)
      const isWhole = new Set(choice).size === 1
      expect(opened).toEqual(isWhole ? documents[header] : 'bundle/unreadable')
    },
  )

  test('opens for nobody in another order, or with leaves left out or twice', async () => {
    const whole = (roots[0] as dagPb.PBNode).Links
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 6 }), async (order) => {
        if (order.join() === '0,1,2,3') return
        const links = order.map((at) => whole[at] as dagPb.PBLink)
        const block = dagPb.encode({ ...(roots[0] as dagPb.PBNode), Links: links })
        const cid = CID.createV1(treeCode, await sha256.digest(block))
        await blocks.put(cid, block)
        const outcome = store
          .get(digestOf(cid))
          .then((sealed) => cipher.open(sealed, victim, store).then(() => 'opened'))
        const code = await outcome.catch((error: unknown) =>
          isFailure(error) ? error.code : `${error}`,
        )
        expect(['bundle/unreadable', 'blob/corrupt']).toContain(code)
      }),
      { numRuns: times(8, 30) },
    )
  })
})
