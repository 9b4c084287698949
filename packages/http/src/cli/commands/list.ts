import { type DollarPrices, noPrices } from '@heirloom/core'
import { type Call, command } from '../arguments/command.ts'
import { readBps } from '../arguments/read-bps.ts'
import { readPrices } from '../arguments/read-price.ts'
import { readTokenId } from '../arguments/read-token-id.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { writeListing } from '../connection/write-listing.ts'
import { writeOptions } from '../connection/write-options.ts'
import { termsText } from '../terminal/terms-text.ts'

const listOptions = {
  price: {
    type: 'string',
    value: 'AMOUNT',
    about: 'The price to buy it. Without it, the token is not for sale.',
  },
  rent: { type: 'string', value: 'AMOUNT', about: 'The rent per day. Without it, not for rent.' },
  'fork-price': {
    type: 'string',
    value: 'AMOUNT',
    about: 'The price of a fork. Without it, not forkable.',
  },
  royalty: {
    type: 'string',
    value: 'SHARE',
    about: "Your share of a fork's later prices, as in 5%, or in basis points: 500 is 5%.",
  },
  ...writeOptions,
} as const

/** Lists a token. */
export const list = command({
  about: "Lists a token of the server's wallet, or of yours, for sale, rent or fork.",
  more: [
    'Amounts are as in 0.01ether, or 5usd for the dollar of the contracts; whole wei without a unit. All prices are in one currency. The new terms replace earlier ones. To take a listing down use heirloom unlist.',
  ],
  words: [{ name: 'ID', about: 'The token.' }],
  options: listOptions,
  examples: [
    {
      line: 'heirloom list 7 --price 0.01ether --rent 0.001ether --fork-price 0.02ether --royalty 5%',
      about: 'Offer it for sale, rent and fork:',
    },
    {
      line: 'heirloom list 7 --price 5usd --rent 0.25usd',
      about: 'Offer it for dollars:',
    },
    {
      line: 'heirloom list 7 --price 0.01ether --as-wallet --dry-run',
      about: 'Show the fees of listing a token of your own wallet:',
    },
  ],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const terms = readTerms(call.options)
    const offers = termsText(terms)
    if (offers.length === 0) throw withoutPrice(id)
    const done = [['Listed', `token ${id}`], ...offers] as const
    await writeListing(call, { body: { tokenId: id, ...terms }, done })
    return 0
  },
})

const withoutPrice = (id: string) =>
  new UsageError(
    `heirloom list needs a price: --price, --rent or --fork-price. To take the listing down: heirloom unlist ${id}`,
  )

function readTerms(given: Call<'ID', typeof listOptions>['options']) {
  const forkRoyaltyBps = readBps('--royalty', given.royalty ?? '0')
  const { currency, amounts } = readPrices({
    '--price': given.price,
    '--rent': given.rent,
    '--fork-price': given['fork-price'],
  })
  const prices = {
    price: amounts['--price'],
    rentalPricePerDay: amounts['--rent'],
    forkPrice: amounts['--fork-price'],
  }
  return currency === 'native' ? { ...prices, forkRoyaltyBps } : inDollars(prices, forkRoyaltyBps)
}

const inDollars = (
  { price, rentalPricePerDay, forkPrice }: Record<keyof DollarPrices, bigint>,
  forkRoyaltyBps: number,
) => ({
  ...noPrices,
  forkRoyaltyBps,
  dollars: {
    price: `${price}`,
    rentalPricePerDay: `${rentalPricePerDay}`,
    forkPrice: `${forkPrice}`,
  },
})
