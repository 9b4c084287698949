import type { Listing, Provenance } from '../../client/responses.ts'
import { command } from '../arguments/command.ts'
import { connect, readToken, serverOptions } from '../connection/connect.ts'
import type { Line } from '../terminal/output.ts'
import { rows, timeText } from '../terminal/rows.ts'
import { termsText } from '../terminal/terms-text.ts'

/** Shows a token. */
export const info = command({
  about: 'Shows what the chain records of a token, and how it is offered.',
  words: [{ name: 'ID', about: 'The token.' }],
  options: serverOptions,
  examples: [
    { line: 'heirloom info 7', about: 'For a person:' },
    { line: 'heirloom info 7 --json | jq -r .contentHash', about: 'For a program:' },
  ],
  run: async (call) => {
    const id = readToken('ID', call.words.ID)
    const client = await connect(call)
    const { signal } = call
    const [record, listing] = await Promise.all([
      client.info(id, { signal }),
      client.listing(id, { signal }),
    ])
    await call.output.answer({
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
    ...(offers.length > 0 ? offers : [['Offered', 'no'] as const]),
  ])
}
