import assert from 'node:assert/strict'
import { type Originality, type TokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness, Party } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { accountOf, arbitraryParty, partiesFrom } from '../ledger/fixture.ts'
import { fork, list, mint, readToken } from './fixture.ts'

/** The law of copies. */
export const originalityLaw: Law<CatalogueHarness> = forAll(
  'marks copies by the seal of a memory and not by the order of mints',
  [arbitraryParty, fc.boolean()],
  async (harness, first, isCopierFirst) => {
    const [maker, copier] = partiesFrom(harness, first)
    const pair = await harness.seal(accountOf(maker))
    const own = await harness.seal(accountOf(copier))
    const early = isCopierFirst ? [await mint(harness, copier, pair)] : []
    const original = await mint(harness, maker, pair)
    const parent = { parent: original }
    const tokens: readonly (readonly [Originality, TokenId])[] = [
      ['original', original],
      ...early.map((id) => ['copied', id] as const),
      ['copied', await mint(harness, copier, pair)],
      ['copied', await mint(harness, copier, { ...pair, ...parent, to: maker })],
      ['copied', await mint(harness, copier, { ...own, contentHash: pair.contentHash })],
      ['copied', await mint(harness, copier, { contentHash: pair.contentHash })],
      ['original', await mint(harness, copier, { ...own, ...parent })],
      ['repeated', await mint(harness, maker, { ...pair, to: copier })],
      ['unverified', await mint(harness, maker)],
    ]
    for (const [expected, id] of tokens) await assertFamily(harness, { id, expected, copier })
  },
)

/** The law of samples. */
export const sampleLaw: Law<CatalogueHarness> = {
  name: 'shows the excerpts of a memory, as proven only where it was sealed for its source',
  holds: async (harness) => {
    const [maker, copier] = partiesFrom(harness)
    const excerpts = ['/metadata/category']
    const sealFor = (who: Party, isForeign = false) =>
      harness.seal(accountOf(who), { excerpts, isForeign })
    const pair = await sealFor(maker)
    const foreign = await sealFor(maker, true)
    const own = await mint(harness, maker, pair)
    const elsewhere = await mint(harness, maker, foreign)
    // Both name the hashes of another: a copy of the seal, and a head of one's own over them.
    const copy = await mint(harness, copier, pair)
    const { digest } = await sealFor(copier, true)
    const crafted = await mint(harness, copier, { ...pair, digest })
    const bare = await mint(harness, maker, await harness.seal(accountOf(maker)))
    const marks = [
      [own, 'proven'],
      [elsewhere, 'committed'],
      [copy, undefined],
      [crafted, undefined],
      [bare, undefined],
    ] as const
    for (const [id, mark] of marks) {
      const { sample } = await readToken(harness, id)
      assert.equal(sample?.mark, mark)
      if (sample === undefined) continue
      const [excerpt] = sample.excerpts
      assert.deepEqual([excerpt?.pointer, excerpt?.value], ['/metadata/category', '"test"'])
    }
    await list(maker, own, { forkPrice: wei(3n) })
    const licensed = await readToken(harness, await fork(copier, own))
    assert.deepEqual(licensed.sample, (await readToken(harness, own)).sample)
  },
}

type Family = { readonly id: TokenId; readonly expected: Originality; readonly copier: Party }

/** Asserts the originality of a token, of its fork and of the fork's fork. */
async function assertFamily(harness: CatalogueHarness, { id, expected, copier }: Family) {
  assert.equal((await readToken(harness, id)).originality, expected)
  let parent = id
  for (const _ of [1, 2]) {
    const access = await copier.ledger.access(parent, copier.ledger.agent)
    const seller = harness.parties.find((party) => accountOf(party) === access?.owner)
    assert.ok(seller)
    await list(seller, parent, { forkPrice: wei(3n) })
    parent = await fork(copier, parent)
    assert.equal((await readToken(harness, parent)).originality, expected)
  }
}
