import { type Currency, currencies } from '@heirloom/core'
import { versionText } from '../../api/named-version.ts'
import { shareText } from '../arguments/read-amounts.ts'
import { priceText } from './value-text.ts'

/** A command line that failed, and its environment. */
export type FailedLine = {
  readonly words: readonly string[]
  /** Whether the environment lets the server relay what your wallet signs. */
  readonly isRelayed: boolean
  /** The address of the server. */
  readonly url: string
  /** The source of that address; `undefined` for the default. */
  readonly urlFrom?: UrlSource | undefined
  /** Whether the environment has an API key. */
  readonly hasApiKey: boolean
}

/** The source of the address of a server. */
export type UrlSource = '--url' | 'HEIRLOOM_URL'

type Facts = Readonly<Record<string, unknown>>
type Sentence = (facts: Facts, line: FailedLine, message: string) => string

const setUrl = ({ urlFrom }: FailedLine): string => `Set ${urlFrom ?? 'HEIRLOOM_URL or --url'} to`

/** The commands that your own wallet signs always. */
const ownCommands: ReadonlySet<string> = new Set(['transfer', 'withdraw', 'heir'])

/** The commands that may as well use another data folder. */
const elsewhereCommands: ReadonlySet<string> = new Set(['serve', 'restore'])

/** Returns what else a text may have meant that is no name: a backup, or the file of a version. */
function otherPlace(name: string, { words: [command = ''] }: FailedLine): string | undefined {
  if (command === 'restore') return 'backup at'
  return name.includes('/') && ['diff', 'merge'].includes(command) ? 'file' : undefined
}

/** The commands that take a version of a name, whose others may still open. */
const commandsOfNames = new Set([
  'restore',
  'outline',
  'part',
  'search-in',
  'export',
  'diff',
  'merge',
])

/** The refusals of a server with API keys for commands that no own wallet can sign. */
const needsKey: Readonly<Record<string, string>> = {
  operator: 'This server shows its state only with an API key of the scope admin',
  webhook: 'This server has its webhooks managed only with an API key of the scope admin',
  wallet: 'This server shows its wallet only with an API key',
}

/** The settings that name where a live source is. */
const settingsOf: Readonly<Record<string, string>> = {
  letta: 'LETTA_BASE_URL and LETTA_API_KEY',
  mem0: 'MEM0_HOST and MEM0_API_KEY',
}

const isOwn = ({ words }: FailedLine) =>
  words.includes('--as-wallet') || ownCommands.has(words[0] ?? '')

const ownOption = (line: FailedLine): string => (isOwn(line) ? ' --as-wallet' : '')

const amountIn = ({ currency }: Facts, amount: unknown): string => {
  const known = currencies.find((it) => it === currency) ?? ('native' satisfies Currency)
  return priceText(known, `${amount}`)
}

/** The sentences of failures that a command line says in its own words, or adds a way out to. */
const sentences: Readonly<Record<string, Sentence>> = {
  'folder/in-use': ({ folder }, { words: [command] }, message) =>
    elsewhereCommands.has(command ?? '')
      ? message
      : `A server or another command is using ${folder}; stop it, and run this again.`,
  'import/unknown-format': ({ known }) =>
    `The format of the file is not recognised. Name it with --format: ${known}.`,
  'import/unreachable': ({ what, reason }, { words }) => {
    const source = words.find((it) => /^(?:letta|mem0|postgres(?:ql)?):/.test(it)) ?? ''
    const settings = settingsOf[source.split(':')[0] ?? ''] ?? 'its address'
    return `${what} does not answer (${reason}); check ${settings}, and try again.`
  },
  'import/secrets-found': ({ count, kinds, places }, { words }) => {
    const found = `(${count}: ${kinds}; at ${places})`
    return words.includes('--redact')
      ? `--redact cannot replace all that looks like a secret ${found}; remove the rest there.`
      : `The memory seems to contain secrets ${found}. Remove them, let --redact replace them, or send them as they are with --keep-secrets: everyone who ever owns or rents it can read them.`
  },
  'listing/currency-changed': (_, line, message) =>
    isOwn(line)
      ? message
      : `${message} What is priced in dollars your own wallet pays: --as-wallet.`,
  'listing/over-max-price': (facts) =>
    `Token ${facts.tokenId} costs ${amountIn(facts, facts.price)}, more than the accepted ${amountIn(facts, facts.maxPrice)}; raise --max-price to pay this price.`,
  'listing/royalty-changed': ({ tokenId, royaltyBps, accepted }) =>
    `A fork of token ${tokenId} owes royalties of ${shareText(royaltyBps)} in total, more than the accepted ${shareText(accepted)}; raise --max-royalty to owe them.`,
  'royalty/bad-share': ({ royaltyBps, limit }) =>
    `A royalty must be a share from 0 % to ${shareText(limit)}, not ${shareText(royaltyBps)}.`,
  'client/bad-answer': ({ problem }, line) =>
    `${line.url} does not answer as a Heirloom server: ${problem}. ${setUrl(line)} the address that heirloom serve prints.`,
  'client/no-common-version': ({ ours, theirs }, { words }) =>
    words.some((it) => it.startsWith('.') || it.endsWith('.json'))
      ? 'A file has no recorded ancestor; name the version that both come from with --base.'
      : `${ours} and ${theirs} have no common ancestor; name the version that both come from with --base.`,
  'access/denied': (_, line, message) =>
    isOwn(line) || line.words.some((it) => /^--grant(?:=|$)/.test(it))
      ? message
      : `${message} If the wallet of the server owns it, set HEIRLOOM_PRIVATE_KEY to the key in agent.key of its DATA_DIR.`,
  'client/no-version': ({ name, version }, line) =>
    `The name ${name} has no version ${versionText(typeof version === 'number' ? version : `${version}`)}; heirloom log ${name}${ownOption(line)} lists its versions.`,
  'memory/erased': (_, { words }, message) =>
    commandsOfNames.has(words[0] ?? '')
      ? `${message} Of a name, other versions may open: heirloom log lists them.`
      : message,
  'memory/listed': ({ tokenId }, { words }, message) => {
    const erased = words.slice(1).find((it) => /^[0-9]+$/.test(it)) ?? tokenId
    return erased === tokenId
      ? message
      : `Token ${tokenId} has the same memory as token ${erased}, and is listed, so somebody could pay for what is being erased; take the listing of token ${tokenId} down first.`
  },
  'name/not-found': ({ name }, line) => {
    const other = otherPlace(`${name}`, line)
    const place = other === undefined ? '' : `no ${other} ${name}, and `
    const whose = isOwn(line) ? 'the names of your wallet' : 'your names'
    return `There is ${place}no version under the name ${name}; heirloom names${ownOption(line)} lists ${whose}.`
  },
  'route/not-found': (_, line, message) => {
    const { url } = line
    const { origin, pathname } = new URL(url)
    return pathname === '/'
      ? `${message} The server at ${url} may be of another version.`
      : `No Heirloom server at ${url}, but there is one at ${origin}. ${setUrl(line)} that, without ${pathname}.`
  },
  'rating/not-paid': ({ tokenId, account }) =>
    `No payment of ${account} for token ${tokenId} counts, and only accounts that paid may rate it. What the owner of a token pays to itself does not count, nor what its maker pays, nor a payment that is not confirmed yet. Buy, rent or fork it with your own wallet (--as-wallet), and rate it with that one.`,
  'request/not-authorized': (_, line, message) => {
    if (isOwn(line)) return message
    const what = needsKey[line.words[0] ?? '']
    if (what !== undefined && !line.hasApiKey) return `${what}. Set HEIRLOOM_API_KEY.`
    return line.hasApiKey
      ? 'The server does not know the API key in HEIRLOOM_API_KEY: it was revoked, is of another server, or is of a tenant that this server does not act for. Ask its operator for another one.'
      : 'This server takes no writes without an API key. Set HEIRLOOM_API_KEY, or sign with your own wallet: --as-wallet, and --relayed if it has no native money.'
  },
  'webhook/not-found': ({ id }) =>
    `There is no webhook with the id ${id}; heirloom webhook list shows those that exist.`,
  'wallet/short': (facts, line) => {
    const text = `The wallet ${facts.account} has ${amountIn(facts, facts.balance)} and needs ${amountIn(facts, facts.needed)}; send funds to it`
    const isRelayed = line.isRelayed || line.words.includes('--relayed')
    const mayRelay = isOwn(line) && !isRelayed && facts.currency !== 'dollar'
    return mayRelay
      ? `${text}, or let the server pay the fees with --relayed: then it needs dollars alone.`
      : `${text}.`
  },
}

/** Returns what a failure says on a command line; `undefined` if that is its own message. */
export const hintedSentence = (
  code: unknown,
  { facts, message }: { readonly facts: Facts; readonly message: string },
  line: FailedLine,
): string | undefined => sentences[`${code}`]?.(facts, line, message)
