import { noPrices } from '@heirloom/core'
import { command } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { writeListing } from '../connection/write-listing.ts'
import { connectWriter, writeOptions } from '../connection/writer.ts'
import { termsText } from '../terminal/market-text.ts'

/** Takes down the listing of a token. */
export const unlist = command({
  about: 'Takes a listing down: the token is no longer for sale, rent or fork.',
  more: ['Rentals that were paid go on until their end.'],
  words: [{ name: 'ID', about: 'The token.' }],
  options: writeOptions,
  examples: [{ line: 'heirloom unlist 7', about: 'Take the listing of a token down:' }],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const writer = await connectWriter(call)
    const listing = await writer.client.listing(id, { signal: call.signal })
    if (termsText(listing).length === 0) {
      await call.output.result({
        value: { tokenId: id, isListed: false },
        lines: [`Token ${id} is not listed; nothing was sent.`],
      })
      return 0
    }
    const body = { tokenId: id, ...noPrices, forkRoyaltyBps: 0 }
    await writeListing(call, writer, {
      body,
      done: [['Listing removed', `token ${id}`]],
    })
    return 0
  },
})
