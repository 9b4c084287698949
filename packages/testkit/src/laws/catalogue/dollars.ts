import assert from 'node:assert/strict'
import {
  type Currency,
  dollars,
  type HistoryEntry,
  type ListingsQuery,
  type Terms,
  type TokenId,
  wei,
} from '@heirloom/core'
import fc from 'fast-check'
import type { CatalogueHarness, Party } from '../../harness.ts'
import { forAll, type Law } from '../law.ts'
import { accountOf, arbitraryCheapPrice, arbitraryParty, partiesFrom } from '../ledger/fixture.ts'
import { type OrderInput, orderFor } from '../ledger/orders.ts'
import { inDollars, list, mint, readAll, readListedIds } from './fixture.ts'

/** Returns terms with one price, as price, rent and price of a fork. */
function termsIn(currency: Currency, amount: bigint): Partial<Terms> {
  const price = wei(amount)
  const terms = { price, rentalPricePerDay: price, forkPrice: price }
  return currency === 'native' ? terms : inDollars(terms)
}

type Offered = { readonly currency: Currency; readonly amount: bigint }

const arbitraryOffered = fc.record({
  currency: fc.constantFrom<Currency>('native', 'dollar'),
  amount: fc.constantFrom(3n, 5n, 8n),
})

/** The laws of dollars in a catalogue. */
export const catalogueDollarLaws: readonly Law<CatalogueHarness>[] = [
  forAll(
    'compares prices in one currency only',
    [
      fc.array(arbitraryOffered, { minLength: 2, maxLength: 5 }),
      fc.constantFrom('price' as const, 'rentalPricePerDay' as const, 'forkPrice' as const),
      fc.boolean(),
    ],
    async (harness, offered, sort, descending) => {
      const { ids, parent } = await listed(harness, offered)
      const idsIn = (currency: Currency, least = 0n) =>
        offered.flatMap((it, index) =>
          it.currency === currency && it.amount >= least ? [ids[index] as TokenId] : [],
        )
      const read = (query: Partial<ListingsQuery>) => readListedIds(harness, { ...query, parent })
      assert.deepEqual(await read({ offers: ['sale'] }), ids)
      const [inWei, inUsd] = [idsIn('native'), idsIn('dollar')]
      assert.deepEqual(await read({ currency: 'native' }), inWei)
      assert.deepEqual(await read({ currency: 'dollar' }), inUsd)
      assert.deepEqual(await read({ [sort]: { min: wei(5n) } }), idsIn('native', 5n))
      const range = { [sort]: { min: dollars(5n) } }
      assert.deepEqual(await read({ currency: 'dollar', ...range }), idsIn('dollar', 5n))
      for (const [query, expected] of [
        [{}, inWei],
        [{ currency: 'native' }, inWei],
        [{ currency: 'dollar' }, inUsd],
      ] as const) {
        const found = await read({ ...query, sort, descending })
        assert.deepEqual(new Set(found), new Set(expected))
      }
    },
  ),
  forAll(
    'returns the events of acts in dollars',
    [arbitraryCheapPrice, fc.constantFrom(1, 5000, 10_000)],
    async (harness, amount, forkRoyaltyBps) => {
      const [maker, forker, payer, guest] = partiesFrom(harness)
      const root = await mint(harness, maker)
      await list(maker, root, { ...termsIn('dollar', amount), forkRoyaltyBps })
      const pay = orderPayer(harness, payer)
      const id = (await pay({ tokenId: root, act: 'fork', recipient: accountOf(forker) }))
        .tokenId as TokenId
      await list(forker, id, termsIn('dollar', amount))
      await pay({ tokenId: id, act: 'rent', recipient: accountOf(guest), days: 2 })
      await pay({ tokenId: id, act: 'buy', recipient: accountOf(guest) })
      await pay({ tokenId: id, act: 'royalty', recipient: accountOf(guest), amount })
      await harness.caughtUp()
      const price = dollars(amount)
      const paid = { payer: accountOf(payer), asset: harness.dollar, price }
      const recipient = accountOf(guest)
      const share = dollars((amount * 2n * BigInt(forkRoyaltyBps)) / 10_000n)
      assertEvents(await eventsOf(harness, root), [
        { kind: 'dollar-listing', seller: accountOf(maker), asset: harness.dollar, price },
        { kind: 'dollar-fork', child: id, recipient: accountOf(forker), ...paid },
        ...(share === 0n ? [] : [{ kind: 'dollar-royalty', to: accountOf(maker), amount: share }]),
        ...(amount * BigInt(forkRoyaltyBps) < 10_000n
          ? []
          : [{ kind: 'dollar-royalty', to: accountOf(maker), from: accountOf(payer) }]),
      ])
      assertEvents(await eventsOf(harness, id), [
        { kind: 'dollar-listing', seller: accountOf(forker), price },
        {
          kind: 'dollar-rental',
          owner: accountOf(forker),
          renter: recipient,
          payer: accountOf(payer),
          paid: dollars(amount * 2n),
          asset: harness.dollar,
        },
        { kind: 'dollar-sale', seller: accountOf(forker), recipient, ...paid },
        { kind: 'dollar-royalty', to: accountOf(forker), amount: price },
      ])
    },
  ),
  forAll(
    'returns earnings in dollars apart from those in wei',
    [arbitraryCheapPrice, fc.constantFrom(0, 333, 10_000), arbitraryParty],
    async (harness, amount, forkRoyaltyBps, first) => {
      const [maker, forker, payer] = partiesFrom(harness, first)
      const read = async ({ ledger }: Party) => {
        await harness.caughtUp()
        return harness.catalogue.earnings(ledger.agent)
      }
      const [before, others] = [await read(maker), await read(forker)]
      const root = await mint(harness, maker)
      await list(maker, root, { ...termsIn('dollar', amount), forkRoyaltyBps })
      const pay = orderPayer(harness, payer)
      const fork = await pay({ tokenId: root, act: 'fork', recipient: accountOf(forker) })
      const id = fork.tokenId as TokenId
      await list(forker, id, termsIn('dollar', amount))
      await pay({ tokenId: id, act: 'rent', recipient: accountOf(payer) })
      await pay({ tokenId: id, act: 'buy', recipient: accountOf(payer) })
      await pay({ tokenId: root, act: 'royalty', recipient: accountOf(payer), amount })
      const share = (amount * BigInt(forkRoyaltyBps)) / 10_000n
      const { dollars: earned } = before
      assert.deepEqual(await read(maker), {
        ...before,
        dollars: {
          ...earned,
          forks: earned.forks + amount,
          royalties: earned.royalties + 2n * share + amount,
        },
      })
      assert.deepEqual(await read(forker), {
        ...others,
        dollars: {
          ...others.dollars,
          sales: others.dollars.sales + amount - share,
          rentals: others.dollars.rentals + amount - share,
        },
      })
    },
  ),
]

/** Returns a function that pays an order on the terms of a listing. */
const orderPayer = (harness: CatalogueHarness, party: Party) => async (input: OrderInput) =>
  party.payOrder(await orderFor(harness, party, input))

async function listed(harness: CatalogueHarness, offered: readonly Offered[]) {
  const [seller] = partiesFrom(harness)
  const parent = await mint(harness, seller)
  const ids: TokenId[] = []
  for (const { currency, amount } of offered) {
    const id = await mint(harness, seller, { parent })
    await list(seller, id, termsIn(currency, amount))
    ids.push(id)
  }
  await harness.caughtUp()
  return { ids, parent }
}

async function eventsOf(
  { catalogue }: CatalogueHarness,
  id: TokenId,
): Promise<readonly HistoryEntry[]> {
  const events = await readAll((after) => catalogue.history(id, { after, limit: 100 }))
  return events.filter(({ kind }) => kind.startsWith('dollar-'))
}

/** Asserts that events are in this order and have at least these fields. */
function assertEvents(events: readonly HistoryEntry[], expected: readonly object[]): void {
  const fields = events.map((event, index) =>
    Object.fromEntries(
      Object.keys(expected[index] ?? {}).map((name) => [name, event[name as keyof typeof event]]),
    ),
  )
  assert.deepEqual(fields, expected)
}
