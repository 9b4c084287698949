import fc from 'fast-check'
import type { Account, Address } from 'viem'
import { expect, test } from 'vitest'
import { type ContractHarness, openContractHarness, party } from '../contract-harness.ts'
import { actsOn, word } from './acts.ts'
import { eventIndexOf } from './event-index.ts'
import { type Receiver, receiver, send } from './receivers.ts'

type Actor = Account | Receiver

const anyStep = fc.record({
  verb: fc.constantFrom(
    'mint',
    'mintDescribed',
    'list',
    'list',
    'transferFrom',
    'buy',
    'rent',
    'fork',
    'payRoyalty',
    'withdraw',
  ),
  actor: fc.nat(3),
  other: fc.nat(3),
  pick: fc.nat(1_000),
  price: fc.bigInt(0n, 20_000n),
  royaltyBps: fc.constantFrom(0n, 333n, 5_000n, 10_000n),
})
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

/** Returns the card of a token, unique to it, which these tests also use as its content hash. */
const cardOf = (tokenId: bigint) => word(1_000_000 + Number(tokenId))

/** Performs a step; many are refused. */
async function perform(
  harness: ContractHarness,
  actors: readonly Actor[],
  step: Step,
): Promise<void> {
  const { marketplace, registry, client } = harness
  const actor = pickFrom(actors, step.actor)
  const other = pickFrom(actors, step.other).address
  const supply = await registry.read.totalSupply()
  const tokenId = (BigInt(step.pick) % supply) + 1n
  const [, price, rentPerDay, forkPrice] = await marketplace.read.listingOf([tokenId])
  const owner = await registry.read.ownerOf([tokenId])
  const holder = actors.find(({ address }) => address === owner) ?? actor
  const { price: terms, royaltyBps } = step
  const item = {
    ...{ recipient: other, parent: tokenId },
    ...{ contentHash: cardOf(supply + 1n), digest: word(step.pick) },
  }
  const calls = {
    mintDescribed: [actor, registry, [[item], [item.contentHash]], 0n],
    mint: [actor, registry, [other, word(step.pick + 1), word(step.pick), tokenId], 0n],
    list: [holder, marketplace, [tokenId, terms, terms / 3n, terms / 2n, royaltyBps], 0n],
    transferFrom: [holder, registry, [owner, other, tokenId], 0n],
    buy: [actor, marketplace, [tokenId, other], price],
    rent: [actor, marketplace, [tokenId, other, 2n], rentPerDay * 2n],
    fork: [actor, marketplace, [tokenId, other, 10_000n], forkPrice],
    payRoyalty: [actor, marketplace, [tokenId], terms],
    withdraw: [actor, marketplace, [party(5).address], 0n],
  } as const
  const [from, { address, abi }, args, value] = calls[step.verb]
  await send({ client }, from, { address, abi, functionName: step.verb, args, value })
}

function pickFrom<item>(items: readonly item[], index: number): item {
  const item = items[index]
  if (item === undefined) throw new Error(`There is no item ${index}.`)
  return item
}

/** Compares the index with the contracts' state of every token and account. */
async function expectSame(
  harness: ContractHarness,
  index: Awaited<ReturnType<typeof eventIndexOf>>,
): Promise<void> {
  const { registry, marketplace } = harness
  expect(BigInt(index.tokens.size)).toBe(await registry.read.totalSupply())
  for (const [tokenId, token] of index.tokens) {
    const [creator, , parent, licence, contentHash, digest, owner, count] =
      await registry.read.recordOf([tokenId])
    expect(token.record).toEqual([creator, parent, licence, contentHash, digest])
    expect(token.card).toBe(contentHash === cardOf(tokenId) ? contentHash : undefined)
    expect([token.owner, token.transferCount]).toEqual([owner, count])
    expect(await registry.read.ownerOf([tokenId])).toBe(owner)
    const listing = await marketplace.read.listingOf([tokenId])
    expect(token.listing).toEqual(listing.slice(0, 5))
    for (const [renter, expiresAt] of token.rentals) {
      expect(await marketplace.read.rentalExpiry([tokenId, renter as Address])).toBe(expiresAt)
    }
  }
}

test('events alone rebuild the state, and every wei is accounted for', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 60 }), async (steps) => {
      const harness = await openContractHarness()
      const actors = [party(1), party(2), party(3), await receiver(harness, 'RefusingReceiver')]
      await actsOn(harness).mint(party(1))
      for (const step of steps) await perform(harness, actors, step)
      const index = await eventIndexOf(harness)
      await expectSame(harness, index)
      const owners = [...index.tokens.values()].map(({ owner }) => owner)
      let owed = 0n
      for (const { address } of actors) {
        const count = owners.filter((owner) => owner === address).length
        expect(await harness.registry.read.balanceOf([address])).toBe(BigInt(count))
        const credit = await harness.marketplace.read.creditOf([address])
        expect(index.credits.get(address) ?? 0n).toBe(credit)
        owed += credit
      }
      expect(await harness.client.getBalance(harness.marketplace)).toBe(owed)
      for (const name of index.names) seen.add(name)
      await harness.close()
    }),
    { numRuns: 15, endOnFailure: true },
  )
  const events = [
    'Transfer',
    'Minted',
    'Described',
    'Listed',
    'Sold',
    'Rented',
    'Forked',
    'RoyaltyPaid',
    'Credited',
    'Withdrawn',
  ]
  expect([...seen].toSorted()).toEqual(events.toSorted())
})
