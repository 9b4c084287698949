import { type Abi, type Address, encodeFunctionData } from 'viem'
import { openContractHarness, party } from '../contract-harness.ts'
import { act, ordersOn } from '../orders.ts'
import { fundedMakers, lineOf } from '../royalty-line.ts'
import type { Gas } from './meter.ts'

/** The longest chain of licensed forks, with as many claims as a lineage holds. */
const royalties = [...Array<number>(8).fill(500), ...Array<number>(56).fill(0)]

const buyer = party(0)

/** Estimates what is dearest to ask and to do: views of the deepest fork, and an order for it. */
export async function measureDeepest(): Promise<Gas> {
  const harness = await openContractHarness()
  const makers = await fundedMakers(harness, royalties.length + 1)
  const tokenId = await lineOf(harness, makers, royalties)
  const { registry, marketplace } = harness
  const estimate = async (
    contract: { abi: Abi; address: Address },
    name: string,
    args: unknown[],
  ) =>
    Number(
      await harness.client.estimateGas({
        account: buyer,
        to: contract.address,
        data: encodeFunctionData({ abi: contract.abi, functionName: name, args }),
      }),
    )
  const gas: Gas = {
    contractURI: await estimate(registry as never, 'contractURI', []),
    tokenURI: await estimate(registry as never, 'tokenURI', [tokenId]),
    recordOf: await estimate(registry as never, 'recordOf', [tokenId]),
    royaltyInfo: await estimate(registry as never, 'royaltyInfo', [tokenId, 10_000n]),
    getRoyalties: await estimate(registry as never, 'getRoyalties', [tokenId]),
    accessOf: await estimate(marketplace as never, 'accessOf', [tokenId, buyer.address]),
    listingOf: await estimate(marketplace as never, 'listingOf', [tokenId]),
    royaltySplitOf: await estimate(marketplace as never, 'royaltySplitOf', [tokenId, 10_000n]),
  }
  const orders = ordersOn(harness)
  const account = makers.at(-1) ?? buyer
  const prices = [1_000_000n, 0n, 0n, 0n] as const
  await harness.mined(marketplace.write.listInDollars([tokenId, ...prices], { account }))
  await orders.give(buyer.address, 1_000_000n)
  const order = orders.order({ act: act.buy, tokenId, recipient: buyer.address, price: 1_000_000n })
  const paid = [order, await orders.authorize(buyer, order)]
  gas['buy by settle'] = await estimate(marketplace as never, 'settle', paid)
  await harness.close()
  return gas
}
