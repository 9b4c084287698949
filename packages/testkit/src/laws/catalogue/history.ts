import assert from 'node:assert/strict'
import { type HistoryEntry, type Instant, type Relative, type TokenId, wei } from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { accountOf, arbitraryCheapPrice, arbitraryParty, partiesFrom } from '../ledger/fixture.ts'
import { buy, fork, list, mint, readAll, readEventsAfter, rent } from './fixture.ts'

/** The laws of lineages and event histories. */
export const historyLaws: readonly Law<CatalogueHarness>[] = [
  forAll(
    'returns a lineage with the kind of each link',
    [arbitraryCheapPrice, arbitraryParty],
    async (harness, forkPrice, first) => {
      const [maker, forker] = partiesFrom(harness, first)
      const root = await mint(harness, maker)
      const declared = await mint(harness, maker, { parent: root })
      await list(maker, declared, { forkPrice })
      const licensed = await fork(forker, declared)
      const leaf = await mint(harness, maker, { parent: licensed })
      const sibling = await mint(harness, maker, { parent: root })
      await harness.caughtUp()
      const lineage = await harness.catalogue.lineage(licensed)
      const links = (relatives: readonly Relative[]) =>
        relatives.map(({ token, link }) => [token.tokenId, link])
      assert.ok(lineage, 'the catalogue has the token')
      assert.deepEqual(
        [lineage.token.tokenId, lineage.link, lineage.isCut],
        [licensed, 'fork', false],
      )
      assert.deepEqual(links(lineage.ancestors), [
        [declared, 'declared'],
        [root, undefined],
      ])
      assert.deepEqual(links(lineage.descendants), [[leaf, 'declared']])
      assert.deepEqual(links((await harness.catalogue.lineage(root))?.descendants ?? []), [
        [declared, 'declared'],
        [licensed, 'fork'],
        [leaf, 'declared'],
        [sibling, 'declared'],
      ])
    },
  ),
  forAll(
    'goes on with the descendants of a lineage after an id',
    [fc.array(fc.nat(5), { maxLength: 6 }), fc.nat(8)],
    async (harness, places, skip) => {
      const [maker] = partiesFrom(harness)
      const root = await mint(harness, maker)
      const family = [root]
      for (const place of places) {
        const parent = family[place % family.length] as TokenId
        family.push(await mint(harness, maker, { parent }))
      }
      await harness.caughtUp()
      const partOf = async (after?: TokenId, limit?: number) => {
        const lineage = await harness.catalogue.lineage(root, { after, limit })
        return [lineage?.descendants.map(({ token }) => token.tokenId), lineage?.isCut]
      }
      const after = family[Math.min(skip, family.length - 1)] as TokenId
      assert.deepEqual(await partOf(), [family.slice(1), false])
      const later = family.slice(1).filter((id) => id > after)
      assert.deepEqual(await partOf(after), [later, false])
      assert.deepEqual(await partOf(undefined, 2), [family.slice(1, 3), family.length > 3])
      assert.deepEqual(await partOf(after, 1), [later.slice(0, 1), later.length > 1])
    },
    { numRuns: 10 },
  ),
  forAll(
    'returns all events of a token in the order of the chain',
    [arbitraryCheapPrice, fc.integer({ min: 1, max: 3 })],
    async (harness, price, limit) => {
      const [maker, other, guest] = partiesFrom(harness)
      const id = await mint(harness, maker)
      const forkRoyaltyBps = 5000
      const terms = { price, rentalPricePerDay: price, forkPrice: wei(2n), forkRoyaltyBps }
      await list(maker, id, terms)
      const { expiresAt } = await rent(guest, id, 1)
      const child = await fork(guest, id)
      await buy(other, id)
      await other.transfer(id, accountOf(guest))
      await guest.ledger.payRoyalty({ tokenId: id, amount: price })
      await harness.caughtUp()
      const page = (after: string | undefined) => harness.catalogue.history(id, { after, limit })
      const events = await readAll(page)
      const kinds = ['transfer', 'mint', 'listing', 'rental', 'fork', 'transfer', 'sale']
      assert.deepEqual(
        events.map(({ kind }) => kind),
        [...kinds, 'transfer', 'royalty'],
      )
      assert.deepEqual(
        events.map(payloadOf),
        expectedEvents({ maker, other, guest }, { terms, child, expiresAt }),
      )
      assertOrder(events)
    },
  ),
  forAll(
    'returns the events after an event, each once',
    [fc.integer({ min: 1, max: 4 }), fc.nat({ max: 9 })],
    async (harness, count, skip) => {
      const [maker, other] = partiesFrom(harness)
      for (let made = 0; made < count; made++) {
        await maker.transfer(await mint(harness, maker), accountOf(other))
      }
      await harness.caughtUp()
      const everything = await readEventsAfter(harness, undefined)
      assertOrder(everything)
      const index = Math.max(0, everything.length - 1 - skip)
      const after = everything[index]?.id
      assert.deepEqual(await readEventsAfter(harness, after), everything.slice(index + 1))
      const { block = 0n } = everything[index] ?? {}
      const foreign = `${block}-0-00c0ffee`
      const { entries, reorganisedFrom = -1n } = await harness.catalogue.eventsAfter(foreign, 100)
      assert.ok(
        reorganisedFrom >= 0n && reorganisedFrom <= block,
        'it reports the first reorganised block',
      )
      const since = everything.filter((event) => event.block >= reorganisedFrom)
      assert.deepEqual(entries, since.slice(0, 100))
    },
  ),
  {
    name: 'returns the id of the newest event',
    holds: async (harness) => {
      const [maker] = partiesFrom(harness)
      await harness.caughtUp()
      const events = await readEventsAfter(harness, undefined)
      assert.equal(await harness.catalogue.newestEventId(), events.at(-1)?.id)
      await mint(harness, maker)
      await harness.caughtUp()
      const newest = await harness.catalogue.newestEventId()
      assert.equal(newest, (await readEventsAfter(harness, undefined)).at(-1)?.id)
      assert.deepEqual((await harness.catalogue.eventsAfter(newest, 10)).entries, [])
    },
  },
]

const payloadOf = (entry: HistoryEntry) => {
  const { id, block, blockHash, logIndex, txHash: _txHash, at: _at, tokenId: _id, ...rest } = entry
  assert.equal(id, `${block}-${logIndex}-${blockHash.slice(2, 10)}`)
  const { contentHash: _, ...payload } = { contentHash: undefined, ...rest }
  return payload
}

type Parties = Readonly<Record<'maker' | 'other' | 'guest', Parameters<typeof accountOf>[0]>>

type Details = {
  readonly terms: Parameters<typeof list>[2]
  readonly child: TokenId
  readonly expiresAt: Instant
}

function expectedEvents(parties: Parties, { terms, child, expiresAt }: Details): unknown[] {
  const [maker, other, guest] = [parties.maker, parties.other, parties.guest].map(accountOf)
  const { price } = terms
  return [
    { kind: 'transfer', from: undefined, to: maker },
    { kind: 'mint', creator: maker, parent: undefined, royaltyBps: undefined },
    { kind: 'listing', seller: maker, ...terms },
    { kind: 'rental', owner: maker, renter: guest, payer: guest, expiresAt, paid: price },
    {
      kind: 'fork',
      child,
      forker: guest,
      recipient: guest,
      royaltyBps: terms.forkRoyaltyBps,
      price: terms.forkPrice,
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
