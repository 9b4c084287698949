import assert from 'node:assert/strict'
import {
  accountsIn,
  type EventKind,
  type HistoryEntry,
  sameAccount,
  type TokenId,
  wei,
} from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness, Party } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { accountOf, partiesFrom } from '../ledger/fixture.ts'
import { buy, fork, inDollars, list, mint, readAll, readEventsAfter, rent } from './fixture.ts'

/** The laws of the activity of accounts. */
export const activityLaws: readonly Law<CatalogueHarness>[] = [
  forAll(
    'returns the events of a token, an account or some kinds, newest first, each once, page by page',
    [
      fc.array(fc.constantFrom('buy', 'rent', 'fork', 'dollars'), { maxLength: 3 }),
      fc.integer({ min: 1, max: 3 }),
    ],
    async (harness, acts, limit) => {
      const [seller, buyer, stranger] = partiesFrom(harness)
      const from = (await readEventsAfter(harness, undefined)).at(-1)?.id
      for (const act of acts) await play(harness, act, [seller, buyer])
      await harness.caughtUp()
      const since = await readEventsAfter(harness, from)
      for (const party of [seller, buyer, stranger]) {
        const account = accountOf(party)
        const found = await readAll((after) =>
          harness.catalogue.activity({ account, limit: 20 * limit, after }),
        )
        const named = since.filter((it) => accountsIn(it).some((by) => sameAccount(by, account)))
        assert.deepEqual(idsOf(found.slice(0, named.length)), idsOf(named.toReversed()))
        assert.equal(new Set(idsOf(found)).size, found.length)
      }
      const tokenId = since[0]?.tokenId
      if (tokenId !== undefined) {
        const ofToken = await readAll((after) =>
          harness.catalogue.activity({ tokenId, limit, after }),
        )
        const expected = since.filter((it) => it.tokenId === tokenId)
        assert.deepEqual(idsOf(ofToken), idsOf(expected.toReversed()))
      }
      await holdsOfKinds(harness, since)
      const { items } = await harness.catalogue.activity({ limit })
      assert.deepEqual(
        idsOf(items.slice(0, since.length)),
        idsOf(since.toReversed().slice(0, limit)),
      )
    },
  ),
]

async function holdsOfKinds(
  { catalogue }: CatalogueHarness,
  since: readonly HistoryEntry[],
): Promise<void> {
  const kinds: readonly EventKind[] = ['mint', 'sale']
  const found = await readAll((after) => catalogue.activity({ kinds, limit: 20, after }))
  const some = since.filter(({ kind }) => kinds.includes(kind))
  assert.deepEqual(idsOf(found.slice(0, some.length)), idsOf(some.toReversed()))
  assert(found.every(({ kind }) => kinds.includes(kind)))
}

type Act = 'buy' | 'rent' | 'fork' | 'dollars'

async function play(
  harness: CatalogueHarness,
  act: Act,
  [seller, buyer]: readonly [Party, Party],
): Promise<void> {
  const id: TokenId = await mint(harness, seller)
  const terms = { price: wei(2n), rentalPricePerDay: wei(1n), forkPrice: wei(1n) }
  await list(seller, id, act === 'dollars' ? inDollars(terms) : terms)
  if (act === 'buy') await buy(buyer, id)
  if (act === 'rent') await rent(buyer, id, 1)
  if (act === 'fork') await fork(buyer, id)
}

const idsOf = (events: readonly HistoryEntry[]) => events.map(({ id }) => id)
