import assert from 'node:assert/strict'
import { type HistoryEntry, type Instant, type Relative, type TokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueWorld } from '../../harness.ts'
import type { Law } from '../law.ts'
import { accountOf, arbitraryCheapPrice, arbitraryParty, castOf } from '../ledger/fixture.ts'
import { all, buy, fork, happenedAfter, list, mint, rent } from './fixture.ts'

/** What every catalogue keeps of lineages and of what happened. */
export const kinLaws: readonly Law<CatalogueWorld>[] = [
  {
    name: 'tells a lineage with the kind of each link',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(arbitraryCheapPrice, arbitraryParty, async (forkPrice, first) => {
          const [maker, forker] = castOf(world, first)
          const root = await mint(world, maker)
          const declared = await mint(world, maker, { parent: root })
          await list(maker, declared, { forkPrice })
          const licensed = await fork(forker, declared)
          const leaf = await mint(world, maker, { parent: licensed })
          const sibling = await mint(world, maker, { parent: root })
          await world.caughtUp()
          const kin = await world.catalogue.lineage(licensed)
          const links = (relatives: readonly Relative[]) =>
            relatives.map(({ token, link }) => [token.tokenId, link])
          assert.ok(kin, 'the catalogue knows the token')
          assert.deepEqual([kin.token.tokenId, kin.link, kin.isCut], [licensed, 'fork', false])
          assert.deepEqual(links(kin.ancestors), [
            [declared, 'declared'],
            [root, undefined],
          ])
          assert.deepEqual(links(kin.descendants), [[leaf, 'declared']])
          assert.deepEqual(links((await world.catalogue.lineage(root))?.descendants ?? []), [
            [declared, 'declared'],
            [licensed, 'fork'],
            [leaf, 'declared'],
            [sibling, 'declared'],
          ])
        }),
      ),
  },
  {
    name: 'tells all that happened to a token, in its order',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(
          arbitraryCheapPrice,
          fc.integer({ min: 1, max: 3 }),
          async (price, limit) => {
            const [maker, other, guest] = castOf(world)
            const id = await mint(world, maker)
            const forkRoyaltyBps = 5000
            const terms = { price, rentalPricePerDay: price, forkPrice: wei(2n), forkRoyaltyBps }
            await list(maker, id, terms)
            const { expiresAt } = await rent(guest, id, 1)
            const child = await fork(guest, id)
            await buy(other, id)
            await other.transfer(id, accountOf(guest))
            await guest.ledger.payRoyalty({ tokenId: id, amount: price })
            await world.caughtUp()
            const page = (after: string | undefined) =>
              world.catalogue.history(id, { after, limit })
            const told = await all(page)
            const kinds = ['transfer', 'mint', 'listing', 'rental', 'fork', 'transfer', 'sale']
            assert.deepEqual(
              told.map(({ kind }) => kind),
              [...kinds, 'transfer', 'royalty'],
            )
            assert.deepEqual(
              told.map(saidOf),
              expectedStory({ maker, other, guest }, { terms, child, expiresAt }),
            )
            assertOrder(told)
          },
        ),
      ),
  },
  {
    name: 'tells what happened after an event, and nothing twice',
    holds: (world) =>
      fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 4 }),
          fc.nat({ max: 9 }),
          async (count, skip) => {
            const [maker, other] = castOf(world)
            for (let made = 0; made < count; made++) {
              await maker.transfer(await mint(world, maker), accountOf(other))
            }
            await world.caughtUp()
            const everything = await happenedAfter(world, undefined)
            assertOrder(everything)
            const place = Math.max(0, everything.length - 1 - skip)
            const after = everything[place]?.id
            assert.deepEqual(await happenedAfter(world, after), everything.slice(place + 1))
            const { block = 0n } = everything[place] ?? {}
            const foreign = `${block}-0-00c0ffee`
            const { entries, undoneFrom = -1n } = await world.catalogue.happened(foreign, 100)
            assert.ok(undoneFrom >= 0n && undoneFrom <= block, 'it says from where on')
            const since = everything.filter((event) => event.block >= undoneFrom)
            assert.deepEqual(entries, since.slice(0, 100))
          },
        ),
      ),
  },
  {
    name: 'names the newest event',
    holds: async (world) => {
      const [maker] = castOf(world)
      await world.caughtUp()
      const told = await happenedAfter(world, undefined)
      assert.equal(await world.catalogue.newest(), told.at(-1)?.id)
      await mint(world, maker)
      await world.caughtUp()
      const newest = await world.catalogue.newest()
      assert.equal(newest, (await happenedAfter(world, undefined)).at(-1)?.id)
      assert.deepEqual((await world.catalogue.happened(newest, 10)).entries, [])
    },
  },
]

const saidOf = ({ id, block, blockHash, logIndex, txHash, at, tokenId, ...rest }: HistoryEntry) => {
  assert.equal(id, `${block}-${logIndex}-${blockHash.slice(2, 10)}`)
  const { contentHash: _, ...said } = { contentHash: undefined, ...rest }
  return said
}

type Cast = Readonly<Record<'maker' | 'other' | 'guest', Parameters<typeof accountOf>[0]>>

type Story = {
  readonly terms: Parameters<typeof list>[2]
  readonly child: TokenId
  readonly expiresAt: Instant
}

function expectedStory(cast: Cast, { terms, child, expiresAt }: Story): unknown[] {
  const [maker, other, guest] = [cast.maker, cast.other, cast.guest].map(accountOf)
  const { price } = terms
  return [
    { kind: 'transfer', from: undefined, to: maker },
    { kind: 'mint', creator: maker, parent: undefined, royaltyBps: undefined },
    { kind: 'listing', seller: maker, ...terms },
    { kind: 'rental', owner: maker, renter: guest, payer: guest, expiresAt, paid: price },
    {
      ...{ kind: 'fork', child, forker: guest, recipient: guest },
      ...{ royaltyBps: terms.forkRoyaltyBps, price: terms.forkPrice },
    },
    { kind: 'transfer', from: maker, to: other },
    { kind: 'sale', seller: maker, buyer: other, recipient: other, price },
    { kind: 'transfer', from: other, to: guest },
    { kind: 'royalty', to: maker, from: guest, amount: price },
  ]
}

function assertOrder(events: readonly HistoryEntry[]): void {
  for (const [index, event] of events.entries()) {
    const last = events[index - 1]
    if (last === undefined) continue
    const isLater =
      event.block > last.block || (event.block === last.block && event.logIndex > last.logIndex)
    assert.ok(isLater, `${event.id} comes after ${last.id}`)
  }
}
