import { expect } from 'vitest'
import { memoryMarketplaceAbi } from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import { spentOn } from '../../../packages/adapters/src/store/spending.ts'
import { content, type LaneFixture } from './lane-fixture.ts'

/** Expects one token for each name, no other token, and the spending that the wallet has paid. */
export async function expectBalanced(
  fixture: LaneFixture,
  names: readonly (string | number)[],
): Promise<void> {
  expect((await fixture.mintedHashes()).toSorted()).toEqual(names.map(content).toSorted())
  const { db } = fixture.store
  const [lane] = await db.selectFrom('lane').selectAll().execute()
  const days = await db.selectFrom('spending').select('day').execute()
  const spent = await Promise.all(days.map(({ day }) => spentOn(db, { lane: lane?.id ?? '', day })))
  // A royalty of 1 wei to a token of the wallet comes back to the wallet.
  const returned = BigInt(await countRoyalties(fixture))
  expect(spent.reduce((sum, amount) => sum + amount, 0n)).toBe(
    (await fixture.amountPaid()) + returned,
  )
}

/** Returns the number of royalty payments on the chain. */
export async function countRoyalties({
  client,
  marketplace: address,
}: LaneFixture): Promise<number> {
  const event = { abi: memoryMarketplaceAbi, eventName: 'RoyaltyPaid' } as const
  return (await client.getContractEvents({ ...event, address, fromBlock: 0n })).length
}
