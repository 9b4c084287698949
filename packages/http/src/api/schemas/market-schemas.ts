import { maxLineageDepth, maxRentalDays, wholeBps } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import {
  address,
  bps,
  decimal,
  inDollars,
  Recipient,
  TokenId,
  TxHash,
  wei,
} from './schema-parts.ts'

const MaxPrice = Type.Optional(wei('Highest total price to pay'))

export const terms = {
  price: wei('Sale price', '"0" when not for sale'),
  rentalPricePerDay: wei('Rental price per day', '"0" when not for rent'),
  forkPrice: wei('Price of a fork', '"0" when not for fork'),
  forkRoyaltyBps: Type.Integer({
    minimum: 0,
    maximum: wholeBps,
    description: 'Royalty of this creator on later sales of a fork, in basis points; 500 is 5 %.',
    examples: [500],
  }),
}

const dollarPrices = {
  price: inDollars('Sale price', '"0" when not for sale'),
  rentalPricePerDay: inDollars('Rental price per day', '"0" when not for rent'),
  forkPrice: inDollars('Price of a fork', '"0" when not for fork'),
}

export const DollarTerms = Type.Object(dollarPrices, {
  description:
    'Prices in the dollar of the contracts, instead of those in wei, which must then all be "0".',
})

export const DollarOffer = Type.Object(
  { asset: address('Address of the ERC-20 token that the prices are in.'), ...dollarPrices },
  {
    description:
      'Prices in dollars. Only a listing in dollars has this member; its prices in wei are all "0", and isForSale, isForRent and isForFork are false.',
  },
)

export const ListingRecord = Type.Object(
  {
    seller: address('Address of the seller; the zero address when the token is not listed.'),
    ...terms,
    isForSale: Type.Boolean({ description: 'Whether price is above 0.' }),
    isForRent: Type.Boolean({ description: 'Whether rentalPricePerDay is above 0.' }),
    isForFork: Type.Boolean({
      description: 'Whether forkPrice is above 0. A fork also requires canBeForked.',
    }),
    effectiveRoyaltyBps: bps(
      'Royalty that a fork made now would owe this creator, in basis points: forkRoyaltyBps, or the share that earlier claims leave.',
    ),
    totalRoyaltyBps: bps('Sum of all royalties that a fork made now would owe, in basis points.'),
    canBeForked: Type.Boolean({
      description: `Whether it can be forked: it has fewer than ${maxLineageDepth} licensed forks among its ancestors.`,
    }),
    dollars: Type.Optional(DollarOffer),
  },
  { description: 'The current terms.' },
)

export const ListBody = Type.Object({
  tokenId: TokenId,
  ...terms,
  dollars: Type.Optional(DollarTerms),
})
export const AcquireBody = Type.Object({ recipient: Recipient, maxPrice: MaxPrice })

export const ForkBody = Type.Object({
  ...AcquireBody.properties,
  maxRoyaltyBps: Type.Optional(
    bps(
      'Highest sum of royalties that the fork may owe, in basis points; the sum in the listing when absent.',
    ),
  ),
})

export const RentBody = Type.Object({
  durationDays: Type.Integer({
    minimum: 1,
    maximum: maxRentalDays,
    description: 'Length of the rental, in whole days.',
    examples: [7],
  }),
  recipient: Recipient,
  maxPrice: MaxPrice,
})

export const RoyaltyBody = Type.Object({ amount: wei('Amount to pay', 'at least 1') })
export const Written = Type.Object({ txHash: TxHash }, { description: 'The mined transaction.' })

export const Rented = Type.Object(
  {
    txHash: TxHash,
    expiresAt: decimal('End of the rental, in seconds since the Unix epoch.', '1767830400'),
  },
  { description: 'The mined transaction, and the end of the rental.' },
)

export const Forked = Type.Object(
  { txHash: TxHash, tokenId: TokenId },
  { description: 'The mined transaction, and the minted child.' },
)
