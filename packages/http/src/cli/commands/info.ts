import type { Excerpt } from '@heirloom/core'
import type { Client } from '../../client/client.ts'
import type { Excerpts, Listing, Provenance } from '../../client/responses.ts'
import { command } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { checkedExcerpts, screened, screenedOption } from '../connection/answers.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { termsText } from '../terminal/market-text.ts'
import type { Line } from '../terminal/output.ts'
import { rows, timeText } from '../terminal/value-text.ts'

/** Shows a token. */
export const info = command({
  about: 'Shows the record of a token on the chain, and its listing.',
  words: [{ name: 'ID', about: 'The token.' }],
  options: { ...screenedOption, ...serverOptions },
  examples: [
    { line: 'heirloom info 7', about: 'Show a token:' },
    { line: 'heirloom info 7 --json | jq -r .contentHash', about: 'Print only its content hash:' },
  ],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const client = await connect(call)
    const { signal } = call
    const [record, listing, sample, owner] = await Promise.all([
      client.info(id, { signal }),
      client.listing(id, { signal }),
      // The record comes from the chain, also while the catalogue does not answer.
      client.excerpts(id, { signal }).catch(() => undefined),
      ownerOf(client, id, signal),
    ])
    const checked = sample === undefined ? [] : checkedExcerpts(sample)
    const proven = checked.map(({ pointer, value }) => ({ pointer, value }))
    const excerpts = await screened(call, client, proven)
    await call.output.result({
      value: { ...record, owner, listing, sample: sample && { mark: sample.mark, excerpts } },
      lines: [...linesOf(record, listing, owner), ...sampleLines(sample?.mark ?? null, excerpts)],
    })
    return 0
  },
})

/** Returns the owner of a token; `undefined` while the catalogue does not answer. */
const ownerOf = (client: Client, id: string, signal: AbortSignal): Promise<string | undefined> =>
  client.lineage(id, {}, { signal }).then(
    ({ token }) => token.owner,
    () => undefined,
  )

function linesOf(record: Provenance, listing: Listing, owner: string | undefined): readonly Line[] {
  const offers = termsText(listing)
  return rows([
    ['Token', record.tokenId],
    ['Creator', record.creator],
    ...(owner === undefined ? [] : [['Owner', owner] as const]),
    ['Parent', record.parent === '0' ? 'none' : record.parent],
    ['Minted', timeText(record.timestamp)],
    ['Content hash', record.contentHash],
    ['Storage', record.storageUri],
    ...(record.erasedAt === undefined ? [] : [['Erased', timeText(record.erasedAt)] as const]),
    ...(offers.length > 0 ? [['Seller', listing.seller] as const] : []),
    ...(offers.length > 0 ? offers : [['Listed', 'no'] as const]),
  ])
}

const sampleLines = (mark: Excerpts['mark'], excerpts: readonly Excerpt[]): readonly Line[] =>
  rows(excerpts.map(({ pointer, value }) => [`Sample, ${mark}`, `${pointer}: ${value}`] as const))
