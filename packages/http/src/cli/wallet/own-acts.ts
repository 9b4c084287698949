import { shownValue } from '../../api/shown-value.ts'
import type { Profile } from '../../client/responses.ts'
import { command, UsageError, withValue } from '../arguments/command.ts'
import { readAddress, readTokenId } from '../arguments/read-values.ts'
import { screened, screenedOption } from '../connection/answers.ts'
import { connect, connectAsAccount, namedAccount, serverOptions } from '../connection/connect.ts'
import { ownDryRun } from '../connection/dry-run.ts'
import { actOptions, openOwnWallet, toActOptions } from '../connection/own-wallet.ts'
import { confirmPayment } from '../connection/writer.ts'
import { priceText, rows, timeText } from '../terminal/value-text.ts'

/** Transfers a token of the caller's wallet. */
export const transfer = command({
  about: 'Transfers a token of your own wallet to another account, without a price.',
  more: [
    'Your wallet signs and pays the fees. Its new owner can open the memory, and you cannot any longer; a listing ends.',
  ],
  words: [
    { name: 'ID', about: 'The token.' },
    { name: 'ADDRESS', about: 'The new owner.' },
  ],
  options: {
    yes: { type: 'boolean', short: 'y', about: 'Do not ask before transferring.' },
    ...actOptions,
  },
  examples: {
    'Show the fees:': 'heirloom transfer 7 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --dry-run',
    'Transfer it without asking:':
      'heirloom transfer 7 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --yes',
  },
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const to = readAddress('ADDRESS', call.words.ADDRESS)
    const wallet = await openOwnWallet(call)
    if (call.options['dry-run']) {
      const quote = await wallet.quote('transfer', id, { to })
      await call.output.result(ownDryRun(wallet, { act: 'transfer', quote }))
      return 0
    }
    await confirmPayment(call, `Transfer token ${id} from your wallet to ${to}, for nothing?`)
    const value = await wallet.transfer(id, { to }, toActOptions(call))
    const lines = rows([
      ['Transferred', `token ${id} to ${to}`],
      ['Transaction', value.txHash],
    ])
    await call.output.result({ value: { ...value, to }, lines })
  },
})

/** Withdraws the credit of the caller's wallet. */
export const withdraw = command({
  about: 'Withdraws the credit of your own wallet: payments that it could not receive.',
  more: [
    'Your wallet signs and pays the fees, or with --relayed the server does. heirloom credit shows the credit of any account.',
  ],
  words: [],
  options: {
    to: withValue('ADDRESS', 'The account that is paid. Default: your wallet.'),
    dollars: { type: 'boolean', about: 'Withdraw the credit in dollars, and not that in wei.' },
    ...actOptions,
  },
  examples: {
    'Show the fees:': 'heirloom withdraw --dry-run',
    'Pay out the credit in dollars:': 'heirloom withdraw --dollars --relayed',
    'Pay the credit to another account:':
      'heirloom withdraw --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  },
  run: async (call) => {
    const { to: given, dollars } = call.options
    const to = given === undefined ? undefined : readAddress('--to', given)
    const currency = dollars ? 'dollar' : 'native'
    const terms = { to, currency } as const
    const wallet = await openOwnWallet(call)
    if (call.options['dry-run']) {
      const quote = await wallet.quote('withdraw', terms)
      const act = dollars ? 'withdrawDollars' : 'withdraw'
      await call.output.result(ownDryRun(wallet, { act, quote }))
      return 0
    }
    const value = await wallet.withdraw(terms, toActOptions(call))
    const receiver = to ?? wallet.address
    const amount = value.dollars?.amount ?? value.amount
    const lines = rows([
      ['Withdrawn', `${priceText(currency, amount)} to ${receiver}`],
      ['Transaction', value.txHash],
    ])
    await call.output.result({ value: { ...value, to: receiver }, lines })
  },
})

/** Rates a token. */
export const rate = command({
  about: 'Rates a token that you bought, rented or forked, from 1 to 5.',
  more: [
    'Your wallet signs the rating, and pays nothing. It is public, with your address and the transaction that paid; a later one replaces it.',
  ],
  words: [
    { name: 'ID', about: 'The token.' },
    { name: 'SCORE', about: '1, the worst, to 5, the best.' },
  ],
  options: {
    comment: withValue('TEXT', 'Your reasons, at most 500 characters.'),
    ...serverOptions,
  },
  examples: {
    'Rate a token:': 'heirloom rate 7 5',
    'Say why:': 'heirloom rate 7 2 --comment "Half of it is noise."',
  },
  run: async (call) => {
    const tokenId = readTokenId('ID', call.words.ID)
    const score = readScore(call.words.SCORE)
    const { client } = await connectAsAccount(call)
    const { comment } = call.options
    const value = await client.rate({ tokenId, score, comment }, { signal: call.signal })
    const lines = rows([
      ['Rated', `token ${tokenId}, ${value.score} of 5, on ${timeText(value.ratedAt)}`],
      ['You paid', `to ${value.act} it, transaction ${value.txHash}`],
    ])
    await call.output.result({ value, lines })
  },
})

const profileOptions = {
  name: withValue('NAME', 'set: your name, at most 40 characters; "" takes your profile back.'),
  sentence: withValue('TEXT', 'set: one sentence, at most 160 characters.'),
  link: withValue('URL', 'set: an address that begins with https://.'),
  ...screenedOption,
  ...serverOptions,
} as const

/** Shows and sets the profile of an account. */
export const profile = command({
  about: 'Shows how an account describes itself, or describes your own wallet.',
  more: [
    'Your wallet signs the profile, and pays nothing. It is public, and shown with your address; set replaces all of it. Only an account that owns or made a token here has one. A name proves nothing: compare the address.',
  ],
  words: [
    { name: 'ACTION', about: 'show or set.', choices: ['show', 'set'] },
    { name: 'ADDRESS', about: 'show: the account. Default: your wallet.', optional: true },
  ],
  options: profileOptions,
  examples: {
    'Show who an account says it is:':
      'heirloom profile show 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    'Describe yourself:':
      'heirloom profile set --name Ada --sentence "I run a small web shop." --link https://ada.example',
  },
  run: async (call) => {
    const { signal } = call
    if (call.words.ACTION === 'set') {
      const { name, sentence, link } = call.options
      if (name === undefined) throw new UsageError('set needs --name; "" takes a profile back.')
      if (call.words.ADDRESS !== undefined) {
        throw new UsageError('set takes no address: your wallet describes itself.')
      }
      const { client } = await connectAsAccount(call)
      const value = await client.setProfile({ name, sentence, link }, { signal })
      return call.output.result({ value, lines: profileLines(value) })
    }
    const account = await namedAccount(call)
    const client = await connect(call)
    const { items } = await client.profiles({ accounts: [account] }, { signal })
    const found = items[0] ?? { account, name: '', sentence: '', link: '' }
    const value = await screened(call, client, found)
    await call.output.result({ value, lines: profileLines(value) })
  },
})

const profileLines = (value: Pick<Profile, 'account'> & Partial<Profile>) =>
  rows([
    ['Account', value.account],
    ['Name', value.name || 'none'],
    ...(value.resembles === undefined
      ? []
      : [['Looks like the name of', value.resembles] as const]),
    ...(value.sentence ? [['Sentence', value.sentence] as const] : []),
    ...(value.link ? [['Link', value.link] as const] : []),
  ])

/** @throws `UsageError` */
function readScore(text: string): number {
  if (/^[1-5]$/.test(text)) return Number(text)
  throw new UsageError(`SCORE must be 1, 2, 3, 4 or 5${shownValue(text)}.`)
}
