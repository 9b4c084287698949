import assert from 'node:assert/strict'
import { type Originality, type TokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness, Party } from '../../harness.ts'
import type { Law } from '../law.ts'
import { accountOf, arbitraryParty, partiesFrom } from '../ledger/fixture.ts'
import { fork, list, mint, readToken } from './fixture.ts'

/** The law of copies. */
export const originalityLaw: Law<CatalogueHarness> = {
  name: 'marks copies by the seal of a memory and not by the order of mints',
  holds: (harness) =>
    fc.assert(
      fc.asyncProperty(arbitraryParty, fc.boolean(), async (first, isCopierFirst) => {
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
      }),
    ),
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
