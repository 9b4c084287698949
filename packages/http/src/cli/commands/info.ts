import type { Listing, Provenance } from '../../client/responses.ts'
import { command } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-token-id.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import type { Line } from '../terminal/output.ts'
import { rows, timeText } from '../terminal/rows.ts'
import { termsText } from '../terminal/terms-text.ts'

/** Shows a token. */
export const info = command({
  about: 'Shows the record of a token on the chain, and its listing.',
  words: [{ name: 'ID', about: 'The token.' }],
  options: serverOptions,
  examples: [
    { line: 'heirloom info 7', about: 'Show a token:' },
    { line: 'heirloom info 7 --json | jq -r .contentHash', about: 'Print only its content hash:' },
  ],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const client = await connect(call)
    const { signal } = call
    const [record, listing] = await Promise.all([
      client.info(id, { signal }),
      client.listing(id, { signal }),
    ])
    await call.output.result({
      value: { ...record, listing },
      lines: linesOf(record, listing),
    })
    return 0
  },
})

function linesOf(record: Provenance, listing: Listing): readonly Line[] {
  const offers = termsText(listing)
  return rows([
    ['Token', record.tokenId],
    ['Creator', record.creator],
    ['Parent', record.parent === '0' ? 'none' : record.parent],
    ['Minted', timeText(record.timestamp)],
    ['Content hash', record.contentHash],
    ['Storage', record.storageUri],
    ...(offers.length > 0 ? [['Seller', listing.seller] as const] : []),
    ...(offers.length > 0 ? offers : [['Listed', 'no'] as const]),
  ])
}
