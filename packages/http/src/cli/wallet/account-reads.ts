import type { Hex } from '@heirloom/core'
import type { Client } from '../../client/client.ts'
import type { Earning, Earnings, Opening, Page } from '../../client/responses.ts'
import { type Call, command, type Options, UsageError } from '../arguments/command.ts'
import { moreLine, pageOptions, readPage } from '../arguments/read-values.ts'
import { connect, connectAsAccount, namedAccount, serverOptions } from '../connection/connect.ts'
import { nameAccounts } from '../connection/name-accounts.ts'
import { accountRead, accountWord } from '../connection/read-command.ts'
import { tokenHelp, versionOptions, versionReader } from '../connection/read-version.ts'
import { type CommandResult, type Line, printableJson, writeTo } from '../terminal/output.ts'
import { dollarText, priceText, rows, timeText } from '../terminal/value-text.ts'

/** Shows the credit of an account. */
export const credit = accountRead({
  about: 'Shows the credit of an account: payments that it could not receive.',
  more: ['Only the account itself can withdraw it, with heirloom withdraw.'],
  examples: {
    'Show the credit of an account:': 'heirloom credit 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  },
  ask: async ({ client, signal }, address) => {
    const { credit: native, dollars } = await client.earnings(address, { signal })
    return { address, credit: native, dollars: { credit: dollars.credit } }
  },
  show: ({ address, credit: native, dollars }) =>
    rows([
      ['Account', address],
      ['Credit', priceText('native', native)],
      ['In dollars', priceText('dollar', dollars.credit)],
    ]),
})

const sources = ['sales', 'rentals', 'forks', 'royalties', 'credit'] as const

/** Shows the earnings of an account. */
export const earnings = command({
  about: 'Shows what an account has earned, in native money and in dollars.',
  more: [
    'Royalties to others are deducted. Credit was earned but could not be paid out.',
    'With --each a page may be short before the end: go on with --after.',
  ],
  words: [accountWord],
  options: {
    each: { type: 'boolean', about: 'Show each payment, newest first, instead of the sums.' },
    limit: {
      ...pageOptions.limit,
      about: 'With --each: the number of payments, 1 to 100. Default: 20.',
    },
    after: { ...pageOptions.after, about: 'With --each: continue after an earlier page.' },
    ...serverOptions,
  },
  examples: {
    'Show the earnings of an account:':
      'heirloom earnings 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    'Show each payment that it received:':
      'heirloom earnings 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --each',
  },
  run: async (call) => {
    const address = await namedAccount(call)
    const page = readPage(call.options)
    if (!call.options.each && Object.keys(page).length > 0) {
      throw new UsageError('--limit and --after need --each: the sums are of all payments.')
    }
    const client = await connect(call)
    const { signal } = call
    const result = call.options.each
      ? eachOf(await client.eachEarning(address, page, { signal }))
      : sumsOf(address, await client.earnings(address, { signal }))
    await call.output.result(result)
  },
})

function sumsOf(address: Hex, earned: Earnings): CommandResult {
  const lines = rows([
    ['Account', address],
    ...sources.map((source) => {
      const [native, dollars] = [earned[source], earned.dollars[source]]
      return [source, `${priceText('native', native)}, ${priceText('dollar', dollars)}`] as const
    }),
  ])
  return { value: { address, ...earned }, lines }
}

function eachOf(page: Page<Earning>): CommandResult {
  const none = page.items.length === 0 && page.next === null ? ['No payment was received.'] : []
  return { value: page, lines: [...page.items.map(lineOf), ...moreLine(page.next), ...none] }
}

const lineOf = ({ timestamp, kind, tokenId, currency, amount }: Earning): Line => [
  { style: 'dim', text: timeText(timestamp) },
  `  ${kind} of token ${tokenId}: ${priceText(currency, amount)}`,
]

type Dollar = Awaited<ReturnType<Client['deployment']>>['dollar']

const noFaucet = (dollar: Dollar) =>
  new UsageError(
    dollar
      ? `This server gives no dollars: its chain is not the embedded one. Get ${dollar.symbol} (${dollar.address}) elsewhere.`
      : 'This server gives no dollars: its contracts have none.',
  )

/** Gets test dollars. */
export const faucet = command({
  about: 'Gives test dollars of the embedded chain to an account: play money, worth nothing.',
  more: ['The server pays the gas, so the account needs no money for it.'],
  words: [accountWord],
  options: serverOptions,
  examples: {
    'Give test dollars to an account:':
      'heirloom faucet 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  },
  run: async (call) => {
    const address = await namedAccount(call)
    const client = await connect(call)
    const { hasFaucet, dollar } = await client.deployment({ signal: call.signal })
    if (!hasFaucet) throw noFaucet(dollar)
    const value = await client.faucet(address, { signal: call.signal })
    const lines = rows([
      ['Account', address],
      ['Given', `${dollarText(BigInt(value.amount))} of play money`],
      ['Transaction', value.txHash],
    ])
    await call.output.result({ value: { address, ...value }, lines })
  },
})

const openingsOptions = {
  ...pageOptions,
  export: { type: 'boolean', about: 'Print all of them, each as a line of JSON.' },
  ...versionOptions,
} as const satisfies Options

/** Says of a name alone that each of its versions has openings of its own. */
const versionLines = (id: string): readonly string[] =>
  /^\d+$|@/.test(id)
    ? []
    : ['', `These are of its last version; heirloom openings ${id}@1 shows those of the first.`]

/** Shows who opened a memory. */
export const openings = command({
  about: 'Shows who opened the memory of a token while you owned it, newest first.',
  more: [
    'Your wallet signs the request. Each opening by you and by those whom you permitted has a line; of renters the server records only how many there were on a day. It is the word of the server, which forgets them after 400 days unless its operator chose otherwise.',
  ],
  words: [{ name: 'ID', about: tokenHelp }],
  options: openingsOptions,
  examples: {
    'Show who opened a memory:': 'heirloom openings 7',
    'Show who opened the last version of a name:': 'heirloom openings ada',
    'Save all of them:': 'heirloom openings 7 --export > openings.jsonl',
  },
  run: async (call) => {
    const id = await versionReader(call).token('ID', call.words.ID)
    if (call.options.export) return exportOpenings(call, id)
    const { client } = await connectAsAccount(call)
    const value = await client.openings(id, readPage(call.options), { signal: call.signal })
    const none = value.items.length === 0 ? [`No opening of token ${id} is recorded.`] : []
    const shown = await nameAccounts(call, client, value.items.map(openingLine))
    const lines = [...shown, ...moreLine(value.next), ...none, ...versionLines(call.words.ID)]
    await call.output.result({ value, lines })
    return 0
  },
})

async function exportOpenings(call: Call<'ID', typeof openingsOptions>, id: string) {
  const { client } = await connectAsAccount(call)
  let { after } = call.options
  do {
    const of = { limit: 100, after }
    const { items, next } = await client.openings(id, of, { signal: call.signal })
    const lines = items.map((it) => `${printableJson(JSON.stringify(it))}\n`)
    await writeTo(call.terminal.stdout, lines.join(''))
    after = next ?? undefined
  } while (after !== undefined)
  return 0
}

function openingLine({ right, account, scope, label, at, seconds, count }: Opening): Line {
  const times = count === 1 ? '' : `, ${count} times`
  const hour = seconds === 3600 ? ' within an hour' : ''
  if (account === undefined) {
    return [{ style: 'dim', text: timeText(at).slice(0, 10) }, `  by renters${times || ', once'}`]
  }
  const by = label ? `${right} ${label}` : right
  return [{ style: 'dim', text: timeText(at) }, `  ${scope} by ${account}, ${by}${times}${hour}`]
}
