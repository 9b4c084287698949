import { noPrices } from '@heirloom/core'
import { command } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-token-id.ts'
import { connectWriter } from '../connection/connect-writer.ts'
import { dryRun } from '../connection/dry-run.ts'
import { ownDryRun } from '../connection/own-dry-run.ts'
import { writeOptions } from '../connection/write-options.ts'
import { rows } from '../terminal/rows.ts'

/** Takes down the listing of a token. */
export const unlist = command({
  about: 'Takes a listing down: the token is no longer for sale, rent or fork.',
  more: ['Rentals that were paid go on until their end.'],
  words: [{ name: 'ID', about: 'The token.' }],
  options: writeOptions,
  examples: [{ line: 'heirloom unlist 7', about: 'Take the listing of a token down:' }],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const { client, wallet, writes, options } = await connectWriter(call)
    const body = { tokenId: id, ...noPrices, forkRoyaltyBps: 0 }
    if (call.options['dry-run']) {
      const write = { path: '/api/marketplace/list', body }
      const described =
        wallet === undefined
          ? await dryRun(client, write, call.signal)
          : ownDryRun(wallet, { act: 'list', quote: await wallet.quote('list', body) })
      await call.output.result(described)
      return 0
    }
    const value = await writes.list(body, options)
    const lines = rows([
      ['Listing removed', `token ${id}`],
      ['Transaction', value.txHash],
    ])
    await call.output.result({ value: { ...value, ...body }, lines })
    return 0
  },
})
