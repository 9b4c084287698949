import assert from 'node:assert/strict'
import { day, dollars, orderActs, type Terms } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryDollarTerms, arbitraryTerms } from '../../arbitraries/money.ts'
import type { LedgerHarness, Party } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { refuses } from '../refuses.ts'
import {
  accountOf,
  arbitraryCheapPrice,
  arbitraryParty,
  assertMoved,
  balancesOf,
  drift,
  forkOnce,
  mintBy,
  noTerms,
  partiesFrom,
  refusesWrite,
  requireKnown,
} from './fixture.ts'
import { type OrderInput, orderFor } from './orders.ts'

/** Terms in dollars, each price the same. */
export const inDollars = (amount: bigint): Terms => {
  const price = dollars(amount)
  return { ...noTerms, dollars: { price, rentalPricePerDay: price, forkPrice: price } }
}

/** The laws of listings and orders in dollars. */
export const dollarLaws: readonly Law<LedgerHarness>[] = [
  forAll(
    'returns a listing in dollars as it was made, with prices of zero in wei',
    [arbitraryDollarTerms, arbitraryTerms],
    async (harness, inUsd, inWei) => {
      const [author, reader] = partiesFrom(harness)
      const tokenId = await mintBy(author)
      const free = { ...noTerms, forkRoyaltyBps: 7, dollars: inDollars(0n).dollars }
      for (const [terms, prices] of [
        [inUsd, { ...noTerms, dollars: { asset: harness.dollar, ...inUsd.dollars } }],
        [inWei, inWei],
        [free, noTerms],
      ] as const) {
        await author.ledger.list({ tokenId, ...terms })
        const { forkRoyaltyBps } = terms
        const {
          price,
          rentalPricePerDay,
          forkPrice,
          dollars: inUsd,
        } = await requireKnown(reader.ledger.listing(tokenId))
        const shown = { price, rentalPricePerDay, forkPrice, forkRoyaltyBps }
        const listed = { ...noTerms, ...prices, forkRoyaltyBps }
        assert.deepEqual(inUsd === undefined ? shown : { ...shown, dollars: inUsd }, listed)
      }
    },
  ),
  forAll(
    'refuses a listing in two currencies with `listing/two-currencies`',
    [arbitraryDollarTerms, arbitraryTerms],
    async (harness, inUsd, inWei) => {
      const [author] = partiesFrom(harness)
      const tokenId = await mintBy(author)
      await author.ledger.list({ tokenId, ...inWei })
      await refusesWrite(harness, tokenId, 'listing/two-currencies', () =>
        author.ledger.list({ tokenId, ...inWei, dollars: inUsd.dollars }),
      )
    },
  ),
  forAll(
    'refuses wei for a token that is listed in dollars with `listing/currency-changed`',
    [arbitraryCheapPrice, arbitraryParty],
    async (harness, price, first) => {
      const [owner, { ledger }] = partiesFrom(harness, first)
      const tokenId = await mintBy(owner)
      await owner.ledger.list({ tokenId, ...inDollars(price) })
      const recipient = ledger.agent
      for (const write of [
        () => ledger.buy({ tokenId, price, recipient }),
        () => ledger.rent({ tokenId, days: 1, price, recipient }),
        () => ledger.fork({ tokenId, price, maxRoyaltyBps: 0, recipient }),
      ]) {
        await refusesWrite(harness, tokenId, 'listing/currency-changed', write)
      }
    },
  ),
  forAll(
    'carries out a paid order in dollars for its recipient and moves no wei',
    [arbitraryCheapPrice, fc.constantFrom(...orderActs), arbitraryParty],
    async (harness, price, act, first) => {
      const [owner, payer, receiver] = partiesFrom(harness, first)
      const tokenId = await mintBy(owner)
      await owner.ledger.list({ tokenId, ...inDollars(price) })
      const input = { tokenId, act, recipient: accountOf(receiver), amount: price }
      const order = await orderFor(harness, payer, input)
      const [inWei, before] = [await balancesOf(harness), await dollarsOf(harness)]
      const paid = await payer.payOrder(order)
      await assertDone(harness, receiver, { ...input, tokenId: paid.tokenId ?? tokenId })
      await assertPaid(
        harness,
        before,
        new Map([
          [owner, price],
          [payer, -price],
        ]),
      )
      await refuses('order/closed', payer.payOrder(order))
      await assertMoved(harness, inWei, new Map())
    },
  ),
  forAll(
    'splits a price in dollars among the claims on the token',
    [arbitraryCheapPrice, fc.constantFrom(0, 1, 333, 9999, 10_000)],
    async (harness, price, forkRoyaltyBps) => {
      const [creator, forker, buyer] = partiesFrom(harness)
      const root = await mintBy(creator)
      const tokenId = await forkOnce(creator, forker, { tokenId: root, forkRoyaltyBps })
      await forker.ledger.list({ tokenId, ...inDollars(price) })
      const recipient = accountOf(buyer)
      const order = await orderFor(harness, buyer, { tokenId, act: 'buy', recipient })
      const before = await dollarsOf(harness)
      await buyer.payOrder(order)
      const share = (price * BigInt(forkRoyaltyBps)) / 10_000n
      const changes = [
        [creator, share],
        [forker, price - share],
        [buyer, -price],
      ] as const
      await assertPaid(harness, before, new Map(changes))
    },
  ),
]

/** Returns the dollars of each party. */
export const dollarsOf = ({ parties }: LedgerHarness): Promise<readonly bigint[]> =>
  Promise.all(parties.map((party) => party.dollars()))

/** Asserts that the dollars of the parties changed exactly by `changes`. */
export async function assertPaid(
  harness: LedgerHarness,
  before: readonly bigint[],
  changes: ReadonlyMap<Party, bigint>,
): Promise<void> {
  const after = await dollarsOf(harness)
  assert.deepEqual(
    after.map((amount, index) => amount - (before[index] ?? 0n)),
    harness.parties.map((party) => changes.get(party) ?? 0n),
  )
}

/** Asserts that the recipient of an order has what it ordered; a fork is its own token. */
export async function assertDone(
  harness: LedgerHarness,
  { ledger }: Party,
  { act, tokenId, recipient }: OrderInput,
): Promise<void> {
  const access = await requireKnown(ledger.access(tokenId, recipient))
  assert.equal(access.owner === recipient, act === 'buy' || act === 'fork')
  if (act === 'fork') {
    const record = await requireKnown(ledger.provenance(tokenId))
    assert.equal(record.creator, recipient, 'the recipient is the creator of the fork')
  }
  if (act === 'rent') {
    const length = (access.expiresAt ?? 0) - harness.now()
    assert.ok(Math.abs(length - day) <= drift, 'the rental lasts a day')
  }
}
