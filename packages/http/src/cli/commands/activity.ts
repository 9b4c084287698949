import { command } from '../arguments/command.ts'
import { accountOption } from '../arguments/market-filters.ts'
import { omitUndefined } from '../arguments/omit-undefined.ts'
import { readAddress } from '../arguments/read-address.ts'
import { moreLine, pageOptions, readPage } from '../arguments/read-page.ts'
import { readTokenId } from '../arguments/read-token-id.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { eventText } from '../terminal/event-text.ts'

/** Shows a page of the events of all tokens. */
export const activity = command({
  about: 'Shows what happened on the market, newest first, also to one account.',
  more: [
    'heirloom events prints what happens from now on, and heirloom history all of one token, oldest first. A page of an account may be short before the end: go on with --after.',
  ],
  words: [],
  options: {
    account: accountOption('Only the events that name this account.'),
    token: { type: 'string', value: 'ID', about: 'Only the events of this token.' },
    ...pageOptions,
    ...serverOptions,
  },
  examples: [
    { line: 'heirloom activity --limit 5', about: 'Show the last five events:' },
    {
      line: 'heirloom activity --account 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --json',
      about: 'Show what an account took part in, for a program:',
    },
  ],
  run: async (call) => {
    const { account, token } = call.options
    const query = omitUndefined({
      account: account === undefined ? undefined : readAddress('--account', account),
      token: token === undefined ? undefined : readTokenId('--token', token),
      ...readPage(call.options),
    })
    const client = await connect(call)
    const page = await client.activity(query, { signal: call.signal })
    const none = page.items.length === 0 && page.next === null ? ['Nothing happened.'] : []
    const lines = [...page.items.map(eventText), ...moreLine(page.next), ...none]
    await call.output.result({ value: page, lines })
    return 0
  },
})
