import { command } from '../arguments/command.ts'
import { readGivenTerms, readRoyalty, termsOptions, toTerms } from '../arguments/read-terms.ts'
import { readTokenId } from '../arguments/read-token-id.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { connectWriter } from '../connection/connect-writer.ts'
import { readListing } from '../connection/read-listing.ts'
import { confirmTakeDown, takeDownText, takenDown } from '../connection/take-down.ts'
import { writeListing } from '../connection/write-listing.ts'
import { writeOptions } from '../connection/write-options.ts'
import { termsText } from '../terminal/terms-text.ts'

/** Lists a token. */
export const list = command({
  about: "Lists a token of the server's wallet, or of yours, for sale, rent or fork.",
  more: [
    'Amounts are as in 0.01ether, or 5usd for the dollar of the contracts; whole wei without a unit. All prices are in one currency.',
    'The new terms replace earlier ones: an offer without a price here ends, and the command asks before that. heirloom offer adds to a listing, and heirloom unlist takes it down.',
  ],
  words: [{ name: 'ID', about: 'The token.' }],
  options: {
    ...termsOptions,
    yes: { type: 'boolean', short: 'y', about: 'Do not ask before earlier offers end.' },
    ...writeOptions,
  },
  examples: [
    {
      line: 'heirloom list 7 --price 0.01ether --rent 0.001ether --fork-price 0.02ether --royalty 5%',
      about: 'Offer it for sale, rent and fork:',
    },
    {
      line: 'heirloom list 7 --price 5usd --rent 0.25usd --yes',
      about: 'Offer it for dollars, and for fork no longer:',
    },
    {
      line: 'heirloom list 7 --price 0.01ether --as-wallet --dry-run',
      about: 'Show the fees of listing a token of your own wallet:',
    },
  ],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const terms = toTerms(readGivenTerms(call.options), readRoyalty(call.options) ?? 0)
    const offers = termsText(terms)
    if (offers.length === 0) throw withoutPrice(id)
    const signer = await connectWriter(call)
    const down = takenDown(await readListing(signer, id, call.signal), terms)
    if (!call.options['dry-run']) await confirmTakeDown(call, { id, down })
    const done = [['Listed', `token ${id}`], ...offers] as const
    const warning = down.length === 0 ? undefined : takeDownText(id, down)
    await writeListing(call, signer, { body: { tokenId: id, ...terms }, done, warning })
    return 0
  },
})

const withoutPrice = (id: string) =>
  new UsageError(
    `heirloom list needs a price: --price, --rent or --fork-price. To take the listing down: heirloom unlist ${id}`,
  )
