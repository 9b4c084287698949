import { decimalPattern } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { pathOf } from '../../api/operations/paths.ts'
import type { Client } from '../../client/client.ts'
import type { Event } from '../../client/responses.ts'
import { type Call, command, type Options, withValue } from '../arguments/command.ts'
import { accountOption } from '../arguments/market-filters.ts'
import {
  moreLine,
  omitUndefined,
  pageOptions,
  readAddress,
  readKinds,
  readOptional,
  readPage,
  readTokenId,
} from '../arguments/read-values.ts'
import { checkAnswer, screened, screenedOption } from '../connection/answers.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { nameAccounts } from '../connection/name-accounts.ts'
import { eventText } from '../terminal/market-text.ts'

const options = {
  account: accountOption('Only the events that name this account.'),
  token: withValue('ID', 'Only the events of this token.'),
  kind: withValue('KIND,KIND', 'Only events of these kinds, as in sale,dollar-sale. Default: all.'),
  ...pageOptions,
  ...screenedOption,
  ...serverOptions,
} as const satisfies Options

/** Shows a page of the events of all tokens. */
export const activity = command({
  about: 'Shows what happened on the market, newest first, also to one account.',
  more: [
    'heirloom events prints what happens from now on, and heirloom history all of one token, oldest first. A page of an account or a kind may be short before the end: go on with --after.',
  ],
  words: [],
  options,
  examples: {
    'Show the last five events:': 'heirloom activity --limit 5',
    'Show what an account took part in, for a program:':
      'heirloom activity --account 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --json',
  },
  run: async (call) => {
    const { account, token, kind } = call.options
    const query = omitUndefined({
      account: readOptional(readAddress, '--account', account),
      token: readOptional(readTokenId, '--token', token),
      kind: readOptional(readKinds, '--kind', kind),
      ...readPage(call.options),
    })
    const client = await connect(call)
    const page = await client.activity(query, { signal: call.signal })
    await checkAnswer(pathOf('activity'), Shown, page)
    const titles = call.output.json ? new Map() : await readTitles(call, client, page.items)
    const none = page.items.length === 0 && page.next === null ? ['Nothing happened.'] : []
    const events = page.items.map((it) => eventText(it, titles.get(it.tokenId)))
    const lines = await nameAccounts(call, client, events)
    await call.output.result({ value: page, lines: [...lines, ...moreLine(page.next), ...none] })
  },
})

const Digits = Type.String({ pattern: decimalPattern })
const Amount = Type.Optional(Type.Union([Digits, Type.Null()]))

/** The members that the lines of events need. A newer server may have other kinds of events. */
const Shown = Type.Object({
  items: Type.Array(
    Type.Object({
      kind: Type.String(),
      tokenId: Digits,
      timestamp: Digits,
      price: Amount,
      rentalPricePerDay: Amount,
      forkPrice: Amount,
      paid: Amount,
      amount: Amount,
      expiresAt: Type.Optional(Digits),
    }),
  ),
  next: Type.Union([Type.String(), Type.Null()]),
})

/** Reads the titles of the tokens of some events. */
async function readTitles(
  call: Call<never, typeof options>,
  client: Client,
  events: readonly Event[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const ids = [...new Set(events.map(({ tokenId }) => tokenId))].filter((id) => id !== '0')
  if (ids.length === 0) return new Map()
  const { items } = await screened(call, client, await client.titles(ids, { signal: call.signal }))
  return new Map(items.map(({ tokenId, title }) => [tokenId, title]))
}
