import assert from 'node:assert/strict'
import { digest, encodeCard, isFailure, wei, wordsOf } from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness } from '../../harness.ts'
import type { Law } from '../law.ts'
import { partiesFrom } from '../ledger/fixture.ts'
import { fork, list, mint, nextContentHash, readToken } from './fixture.ts'

const arbitraryQuery = fc.constantFrom(
  ['sto', true],
  ['STOIC gard', true],
  ['élan', true],
  ['dialog', true],
  ['philosophy', true],
  ['"gardens" OR', true],
  ['toic', false],
  ["'; DROP TABLE word; --", false],
  ['stoic* NEAR/2 (garden)', false],
  ['stoic %', true],
  ['stoic zebra', false],
) as fc.Arbitrary<readonly [string, boolean]>

/** Returns whether a search has words, but none of two letters. */
function isRefused(search: string): boolean {
  const lengths = wordsOf(search).map((word) => [...word].length)
  return lengths.length > 0 && lengths.every((length) => length < 2)
}

/** The laws of cards. */
export const cardLaws: readonly Law<CatalogueHarness>[] = [
  {
    name: 'finds cards by prefixes of their words',
    holds: async (harness) => {
      const [maker] = partiesFrom(harness)
      const parent = await mint(harness, maker)
      const card = {
        title: 'Stoic gardens',
        description: 'Dialogues, with Elan',
        tags: ['calm', 'Late Rome'],
        category: 'philosophy',
      }
      const id = await mint(harness, maker, { parent, card })
      const other = await mint(harness, maker, { parent, card: { title: 'Zebra' } })
      await list(maker, id, { price: wei(1n) })
      await harness.caughtUp()
      const { catalogue } = harness
      const ids = async (query: object) => {
        const { items } = await catalogue.tokens({ parent, limit: 100, ...query })
        return items.map(({ tokenId }) => tokenId)
      }
      assert.deepEqual(await ids({ tag: 'Late Rome' }), [id])
      assert.deepEqual(await ids({ tag: 'late' }), [])
      assert.deepEqual(await ids({ category: 'philosophy', search: 'stoic' }), [id])
      assert.deepEqual(await ids({ category: 'philo' }), [])
      assert.deepEqual(await ids({ search: 'zeb' }), [other])
      await fc.assert(
        fc.asyncProperty(arbitraryQuery, async ([search, isFound]) => {
          assert.deepEqual(await ids({ search }), isFound ? [id] : [], search)
          const order = { sort: 'tokenId', descending: true } as const
          const { items } = await catalogue.listings({ ...order, parent, search, limit: 1 })
          assert.equal(items.length, isFound ? 1 : 0)
        }),
      )
      await fc.assert(
        fc.asyncProperty(fc.string(), async (search) => {
          const found = await ids({ search }).catch((error: unknown) => {
            if (!isFailure(error, 'request/malformed')) throw error
          })
          assert.equal(found === undefined, isRefused(search), search)
        }),
      )
    },
  },
  {
    name: 'returns the titles of the cards that tokens show',
    holds: async (harness) => {
      const [maker, other] = partiesFrom(harness)
      const card = { title: 'What the wind said', preview: 'Much.' }
      const stored = digest(nextContentHash())
      const described = await mint(harness, maker, { card, digest: stored })
      await list(maker, described, { forkPrice: wei(3n) })
      const licensed = await fork(other, described)
      const plain = await mint(harness, maker, { parent: described })
      const thief = await mint(harness, other, {
        card: encodeCard({ card, contentHash: nextContentHash() }),
      })
      await harness.caughtUp()
      const shown = [described, licensed].map(
        (tokenId) => [tokenId, { tokenId, digest: stored, title: card.title }] as const,
      )
      const found = await harness.catalogue.titles([thief, licensed, plain, described])
      assert.deepEqual(new Map(found.map((it) => [it.tokenId, it])), new Map(shown))
      assert.deepEqual(await harness.catalogue.titles([]), [])
    },
  },
  {
    name: "shows a memory's card on its licensed forks and never the card of another memory",
    holds: async (harness) => {
      const [maker, other] = partiesFrom(harness)
      const card = { title: 'What the sea said', preview: 'It said nothing.' }
      const described = await mint(harness, maker, { card })
      await list(maker, described, { forkPrice: wei(3n), forkRoyaltyBps: 100 })
      const licensed = await fork(other, described)
      await list(other, licensed, { forkPrice: wei(3n) })
      const again = await fork(maker, licensed)
      const child = await mint(harness, maker, { parent: described })
      const stolen = encodeCard({ card, contentHash: nextContentHash() })
      const thief = await mint(harness, other, { card: stolen })
      const broken = await mint(harness, other, { card: new TextEncoder().encode('{"title":') })
      for (const id of [described, licensed, again]) {
        assert.deepEqual((await readToken(harness, id)).card, card)
      }
      for (const id of [child, thief, broken]) {
        assert.equal((await readToken(harness, id)).card, undefined)
      }
    },
  },
]
