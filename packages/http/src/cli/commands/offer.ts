import type { Listing } from '../../client/responses.ts'
import { command, UsageError } from '../arguments/command.ts'
import {
  type GivenTerms,
  readGivenTerms,
  readRoyalty,
  termsOptions,
  toTerms,
} from '../arguments/read-terms.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { writeListing } from '../connection/write-listing.ts'
import { connectWriter, readListing, writeOptions } from '../connection/writer.ts'
import { termsText } from '../terminal/market-text.ts'

/** Adds offers to the listing of a token. */
export const offer = command({
  about: 'Adds an offer to the listing of a token, or changes its price; other offers stay.',
  more: [
    'Amounts are as in 0.01ether, or 5usd for the dollar of the contracts; whole wei without a unit. All offers of a token are in one currency.',
  ],
  words: [{ name: 'ID', about: 'The token.' }],
  options: { ...termsOptions, ...writeOptions },
  examples: [
    { line: 'heirloom offer 7 --price 0.01ether', about: 'Offer it for sale:' },
    {
      line: 'heirloom offer 7 --fork-price 0.02ether --royalty 5%',
      about: 'Offer it for fork as well:',
    },
    { line: 'heirloom offer 7 --rent 0.001ether --dry-run', about: 'Show what would be sent:' },
  ],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const given = readGivenTerms(call.options)
    const royalty = readRoyalty(call.options)
    if (Object.values(given.prices).every((price) => price === 0n)) throw withoutPrice(id)
    const signer = await connectWriter(call)
    const before = await readListing(signer, id, call.signal)
    const prices = joined(id, before, given)
    const terms = toTerms({ ...given, prices }, royalty ?? before.forkRoyaltyBps)
    const done = [['Listed', `token ${id}`], ...termsText(terms)] as const
    await writeListing(call, signer, { body: { tokenId: id, ...terms }, done })
    return 0
  },
})

const withoutPrice = (id: string) =>
  new UsageError(
    `heirloom offer needs a price above 0: --price, --rent or --fork-price. To take the listing down: heirloom unlist ${id}`,
  )

/** Returns the given prices, and those of the listing where none is given. */
function joined(id: string, before: Listing, { currency, prices }: GivenTerms) {
  const { dollars } = before
  const native = [before.price, before.rentalPricePerDay, before.forkPrice]
  const isOther = currency === 'native' ? dollars !== undefined : native.some((it) => it !== '0')
  if (isOther) {
    throw new UsageError(
      `Token ${id} has offers in the other currency, which end with this one: heirloom list ${id} replaces them.`,
    )
  }
  const earlier = currency === 'native' ? before : dollars
  const priceOf = (name: keyof GivenTerms['prices']) =>
    prices[name] > 0n ? prices[name] : BigInt(earlier?.[name] ?? 0)
  return {
    price: priceOf('price'),
    rentalPricePerDay: priceOf('rentalPricePerDay'),
    forkPrice: priceOf('forkPrice'),
  }
}
