import { expect } from 'vitest'
import { memoryMarketplaceAbi } from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import { spentOn } from '../../../packages/adapters/src/ledger/nonce-lane/spend-limit.ts'
import { content, type LaneStage } from './lane-fixture.ts'

/** Shows that every named token exists once, that there are no others, and that the books are right. */
export async function balanced(
  stage: LaneStage,
  names: readonly (string | number)[],
): Promise<void> {
  expect((await stage.minted()).toSorted()).toEqual(names.map(content).toSorted())
  const [lane] = await stage.store.db.selectFrom('lane').selectAll().execute()
  const days = await stage.store.db.selectFrom('spending').select('day').execute()
  const spent = await Promise.all(
    days.map(({ day }) => spentOn(stage.store.db, { lane: lane?.id ?? '', day })),
  )
  // A royalty of 1 wei to a token of its own comes back to the wallet that spent it.
  const returned = BigInt(await royaltiesPaid(stage))
  expect(spent.reduce((sum, amount) => sum + amount, 0n)).toBe((await stage.paid()) + returned)
}

/** Returns how many royalties the chain records. */
export async function royaltiesPaid({ client, marketplace: address }: LaneStage): Promise<number> {
  const event = { abi: memoryMarketplaceAbi, eventName: 'RoyaltyPaid' } as const
  return (await client.getContractEvents({ ...event, address, fromBlock: 0n })).length
}
