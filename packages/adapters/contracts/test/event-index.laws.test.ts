import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import { compileSolidity } from '../solidity.ts'
import { actsOn } from './acts.ts'
import { type ContractHarness, openContractHarness, party } from './contract-harness.ts'
import { type EventIndex, eventIndexOf } from './event-index.ts'
import { anyStep, cardOf, perform, type Stage } from './event-steps.ts'
import { ordersOn, state } from './orders.ts'
import { receiver } from './receivers.ts'

const { AwkwardDollar } = compileSolidity(['test/dollars/AwkwardDollar.sol'])

/** Compares the index with the contracts' state of every token. */
async function expectSameTokens(
  { registry, marketplace }: ContractHarness,
  { tokens }: EventIndex,
): Promise<void> {
  expect(BigInt(tokens.size)).toBe(await registry.read.totalSupply())
  for (const [tokenId, token] of tokens) {
    const [creator, , parent, licence, contentHash, digest, owner, count] =
      await registry.read.recordOf([tokenId])
    expect(token.record).toEqual([creator, parent, licence, contentHash, digest])
    expect(token.card).toBe(contentHash === cardOf(tokenId) ? contentHash : undefined)
    expect([token.owner, token.transferCount]).toEqual([owner, count])
    expect(await registry.read.ownerOf([tokenId])).toBe(owner)
    const listing = await marketplace.read.listingOf([tokenId])
    expect(token.listing).toEqual([...listing.slice(0, 5), listing[8]])
    for (const [renter, expiresAt] of token.rentals) {
      expect(await marketplace.read.rentalExpiry([tokenId, renter as Address])).toBe(expiresAt)
    }
  }
}

/** Compares the index with the contracts' state of every account, and each currency with its debts. */
async function expectSameAccounts({ harness, accounts, refusing }: Stage, index: EventIndex) {
  const { client, registry, marketplace, dollar } = harness
  const owners = [...index.tokens.values()].map(({ owner }) => owner)
  let [owed, owedDollars] = [0n, 0n]
  for (const { address } of [...accounts, refusing]) {
    const count = owners.filter((owner) => owner === address).length
    expect(await registry.read.balanceOf([address])).toBe(BigInt(count))
    const credit = await marketplace.read.creditOf([address])
    const dollars = await marketplace.read.dollarCreditOf([address])
    expect(index.credits.get(address) ?? 0n).toBe(credit)
    expect(index.dollarCredits.get(address) ?? 0n).toBe(dollars)
    owed += credit
    owedDollars += dollars
    const [heir, silence, notice] = await registry.read.heirOf([address])
    const plan = index.plans.get(address)
    if (plan !== undefined) expect(plan).toEqual([heir, silence, notice])
  }
  expect(await client.getBalance(marketplace)).toBe(owed)
  expect(await dollar.read.balanceOf([marketplace.address])).toBe(owedDollars)
}

/** Compares the index with the contracts' state of every order; returns the states that occurred. */
async function expectSameOrders({ harness, orders }: Stage, index: EventIndex) {
  const states: number[] = []
  for (const order of orders) {
    const hash: Hex = await harness.marketplace.read.hashOf([order])
    const found = await harness.marketplace.read.stateOf([hash])
    expect(index.orders.get(hash) ?? state.open).toBe(found)
    states.push(found)
  }
  return states
}

async function openStage(): Promise<Stage> {
  const harness = await openContractHarness(AwkwardDollar)
  const accounts = [party(1), party(2), party(3)] as const
  for (const { address } of accounts) await ordersOn(harness).give(address, 1_000_000n)
  await actsOn(harness).mint(party(1))
  return { harness, accounts, refusing: await receiver(harness, 'RefusingReceiver'), orders: [] }
}

test('events alone rebuild the state, and every wei and every dollar is accounted for', async () => {
  const seen = new Set<string>()
  const states = new Set<number>()
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 40, maxLength: 90 }), async (steps) => {
      const stage = await openStage()
      for (const step of steps) await perform(stage, step)
      const index = await eventIndexOf(stage.harness)
      await expectSameTokens(stage.harness, index)
      await expectSameAccounts(stage, index)
      for (const found of await expectSameOrders(stage, index)) states.add(found)
      for (const name of index.names) seen.add(name)
      await stage.harness.close()
    }),
    { numRuns: 15, endOnFailure: true },
  )
  const events = [
    ...['Transfer', 'Minted', 'Described', 'Listed', 'Sold', 'Rented', 'Forked', 'RoyaltyPaid'],
    ...['ListedInDollars', 'SoldForDollars', 'RentedForDollars', 'ForkedForDollars'],
    ...['RoyaltyPaidInDollars', 'OrderRefunded', 'Credited', 'Withdrawn', 'DollarsCredited'],
    ...['DollarsWithdrawn', 'CreditTakenOver', 'HeirNamed', 'Heartbeat', 'TakeoverAnnounced'],
    'TakenOver',
  ]
  expect([...seen].toSorted()).toEqual(events.toSorted())
  expect([...states].toSorted()).toEqual([state.open, state.settled, state.refunded])
})
