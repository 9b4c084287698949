import assert from 'node:assert/strict'
import { type Originality, type TokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueWorld, Party } from '../../harness.ts'
import type { Law } from '../law.ts'
import { accountOf, arbitraryParty, castOf } from '../ledger/fixture.ts'
import { fork, list, mint, told } from './fixture.ts'

/** What every catalogue says of copies. */
export const originalityLaw: Law<CatalogueWorld> = {
  name: 'marks copies by what a memory was sealed with, whoever minted first',
  holds: (world) =>
    fc.assert(
      fc.asyncProperty(arbitraryParty, fc.boolean(), async (first, isCopierFirst) => {
        const [maker, copier] = castOf(world, first)
        const pair = await world.seal(accountOf(maker))
        const own = await world.seal(accountOf(copier))
        const early = isCopierFirst ? [await mint(world, copier, pair)] : []
        const original = await mint(world, maker, pair)
        const parent = { parent: original }
        const tokens: readonly (readonly [Originality, TokenId])[] = [
          ['original', original],
          ...early.map((id) => ['copied', id] as const),
          ['copied', await mint(world, copier, pair)],
          ['copied', await mint(world, copier, { ...pair, ...parent, to: maker })],
          ['copied', await mint(world, copier, { ...own, contentHash: pair.contentHash })],
          ['copied', await mint(world, copier, { contentHash: pair.contentHash })],
          ['original', await mint(world, copier, { ...own, ...parent })],
          ['repeated', await mint(world, maker, { ...pair, to: copier })],
          ['unverified', await mint(world, maker)],
        ]
        for (const [expected, id] of tokens) await assertFamily(world, { id, expected, copier })
      }),
    ),
}

type Family = { readonly id: TokenId; readonly expected: Originality; readonly copier: Party }

/** Asserts the mark of a token, and that of a fork of it and of a fork of that. */
async function assertFamily(world: CatalogueWorld, { id, expected, copier }: Family) {
  assert.equal((await told(world, id)).originality, expected)
  let parent = id
  for (const _ of [1, 2]) {
    const access = await copier.ledger.access(parent, copier.ledger.agent)
    const seller = world.parties.find((party) => accountOf(party) === access?.owner)
    assert.ok(seller)
    await list(seller, parent, { forkPrice: wei(3n) })
    parent = await fork(copier, parent)
    assert.equal((await told(world, parent)).originality, expected)
  }
}
