import { account, dollars, type Listing, noPrices, tokenId, wei } from '@heirloom/core'
import { type Hex, zeroAddress } from 'viem'
import { memoryMarketplaceAbi as abi } from '../../../../adapters/src/ledger/contracts.generated.ts'
import type { Provider } from '../wallet/provider.ts'
import { readView } from './read-view.ts'

type Words = readonly [
  ...[seller: Hex, price: bigint, rentPerDay: bigint, forkPrice: bigint, royaltyBps: bigint],
  ...[effectiveBps: bigint, totalBps: bigint, canBeForked: boolean, asset: Hex],
]

/** Reads the live terms of a token from the chain. */
export async function readListing(
  provider: Provider,
  { id, marketplace }: { readonly id: string; readonly marketplace: Hex },
): Promise<Listing> {
  const view = { address: marketplace, abi, functionName: 'listingOf', args: [BigInt(id)] }
  const words = await readView<Words>(provider, view)
  const [seller, price, rentalPricePerDay, forkPrice, bps, own, total, canBeForked, asset] = words
  const fixed = {
    tokenId: tokenId(id),
    seller: account(seller),
    ...{ forkRoyaltyBps: Number(bps), effectiveRoyaltyBps: Number(own) },
    ...{ totalRoyaltyBps: Number(total), canBeForked },
  }
  if (asset === zeroAddress) {
    const prices = [price, rentalPricePerDay, forkPrice].map(wei)
    return { ...fixed, ...pricesOf(prices) }
  }
  const prices = pricesOf([price, rentalPricePerDay, forkPrice].map(dollars))
  return { ...fixed, ...noPrices, dollars: { asset: account(asset), ...prices } }
}

function pricesOf<Amount>(amounts: readonly Amount[]) {
  const [price, rentalPricePerDay, forkPrice] = amounts as readonly [Amount, Amount, Amount]
  return { price, rentalPricePerDay, forkPrice }
}
