import type { FailureCode } from '@heirloom/core'
import { statusOf } from '../../api/status-of.ts'
import { defaultUrl } from '../connection/connect.ts'
import { type FailedLine, hintedSentence } from './hint.ts'
import { jsonText, printable, writeTo } from './output.ts'
import { columnsOf, interruptedCode, type Terminal } from './terminal.ts'
import { wrapText } from './value-text.ts'

/** Writes an error to standard error, as a sentence or as JSON, and returns the exit code. */
export async function reportError(
  { stderr, env }: Terminal,
  error: unknown,
  { words, json }: Pick<FailedLine, 'words'> & { readonly json: boolean },
): Promise<number> {
  const { code = 'service/unexpected', facts = {} } = Object(error)
  const [isRelayed, hasApiKey] = [env.HEIRLOOM_RELAYED === 'true', Boolean(env.HEIRLOOM_API_KEY)]
  const line = { words, isRelayed, hasApiKey, ...serverOf(words, env) }
  const message = printable(sentenceOf(error, line))
  const text = json ? jsonText({ code, message, facts }) : toWidth(message, stderr)
  await writeTo(stderr, `${text}\n`).catch(() => undefined)
  return exitCodeOf(error)
}

/** Returns a sentence that breaks between words on a terminal. */
const toWidth = (sentence: string, stderr: Terminal['stderr']): string =>
  stderr.isTTY ? wrapText(sentence, columnsOf(stderr)).join('\n') : sentence

/** Returns the address of the server for a sentence, without a password in it, and what names it. */
function serverOf(
  words: readonly string[],
  env: Terminal['env'],
): Pick<FailedLine, 'url' | 'urlFrom'> {
  const at = words.indexOf('--url')
  const joined = words.find((word) => word.startsWith('--url='))?.slice('--url='.length)
  const option = at < 0 ? joined : words[at + 1]
  const variable = env.HEIRLOOM_URL ? 'HEIRLOOM_URL' : undefined
  const urlFrom = option ? '--url' : variable
  const given = option || env.HEIRLOOM_URL || defaultUrl
  if (!URL.canParse(given)) return { url: defaultUrl, urlFrom }
  const { origin, pathname } = new URL(given)
  return { url: pathname === '/' ? origin : `${origin}${pathname}`, urlFrom }
}

function sentenceOf(error: unknown, line: FailedLine): string {
  const { code, facts = {} } = Object(error)
  if (code === 'client/no-account' || code === 'proof/missing') return noWalletFor(line)
  if (code === 'client/no-node') return noNode
  const message =
    error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error)
  const hinted = hintedSentence(code, { facts, message }, line)
  if (hinted !== undefined) return hinted
  // Calls to a node of the chain have no path.
  return code === 'client/unreachable' && facts?.path ? noServerAt(line, causeOf(error)) : message
}

// The client's own sentences are for a program that calls it; these are for a command line.
const noWallet =
  "No wallet of your own. Make one with heirloom login, or set HEIRLOOM_PRIVATE_KEY or HEIRLOOM_KEYSTORE. Memories of the server's wallet open with DATA_DIR set to the folder of the server, and heirloom wallet shows that wallet."
const noReader =
  'Nothing was saved: you have no wallet, so you could not open it. Make one with heirloom login, set HEIRLOOM_PRIVATE_KEY or HEIRLOOM_KEYSTORE, or set DATA_DIR to the folder of the server; or name the owner: --recipient ADDRESS, or --recipient server for the wallet of the server.'
const noAccount =
  'No wallet of your own, and none in DATA_DIR. Pass the ADDRESS, make a wallet with heirloom login, or set HEIRLOOM_PRIVATE_KEY or HEIRLOOM_KEYSTORE.'
/** The commands that only read of an account, or give to it. */
const commandsOfAccounts: ReadonlySet<string> = new Set(['earnings', 'credit', 'faucet'])
const noWalletFor = ({ words: [command = '', ...others] }: FailedLine): string => {
  if (commandsOfAccounts.has(command)) return noAccount
  const isSave = ['save', 'import'].includes(command) && !others.includes('--as-wallet')
  return isSave ? noReader : noWallet
}
const noNode =
  'Your wallet needs a node of this chain. Name one that you trust with --rpc-url or HEIRLOOM_RPC_URL.'
const noServerAt = ({ url, urlFrom, words }: FailedLine, cause: string): string => {
  const problem = connectionProblems[cause]
  if (problem !== undefined)
    return `Cannot reach ${url}: ${problem(urlFrom ?? 'HEIRLOOM_URL or --url')}.`
  const correction = urlFrom === undefined ? 'set HEIRLOOM_URL' : `correct ${urlFrom}`
  const remedy = `Start one with heirloom serve, or ${correction}.`
  const [command, from] = words
  return command === 'restore' && from
    ? `${from} is no folder with a backup, so it is a name; and there is no server at ${url}. ${remedy}`
    : `No server at ${url}. ${remedy}`
}

type Problem = (setting: string) => string

/** Describes what is wrong with a connection where starting a server would not help, by the code of Node. */
const connectionProblems: Readonly<Record<string, Problem>> = {
  ENOTFOUND: (setting) => `no machine has this name. Check ${setting}`,
  EAI_AGAIN: () => 'its name cannot be looked up now. Check the network, and try again',
  ECONNRESET: () => 'the connection was closed. Try again',
  UND_ERR_SOCKET: () => 'the connection was closed. Try again',
  ETIMEDOUT: () => 'no answer in time. Check the network, and try again',
  UND_ERR_CONNECT_TIMEOUT: () => 'no answer in time. Check the network, and try again',
  ERR_SSL_WRONG_VERSION_NUMBER: () => 'it does not speak TLS. Use http:// instead of https://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: () => 'it does not speak TLS. Use http:// instead of https://',
  CERT_HAS_EXPIRED: () => 'its certificate has expired. Its operator has to renew it',
  DEPTH_ZERO_SELF_SIGNED_CERT: () =>
    'its certificate is self-signed. Name it in NODE_EXTRA_CA_CERTS if you trust it',
  ERR_TLS_CERT_ALTNAME_INVALID: (setting) =>
    `its certificate is for another name. Check ${setting}`,
}

/** Returns the code of the innermost cause of an error, as Node names what the network did. */
function causeOf(error: unknown): string {
  const { cause, code } = Object(error)
  return cause === undefined ? String(code) : causeOf(cause)
}

/** Maps each exit code to its meaning; a test compares `docs/cli.md` with it. */
export const exitMeanings: ReadonlyMap<number, string> = new Map([
  [0, 'Success'],
  [1, 'Unexpected error, a merge with conflicts, or a transaction whose outcome is not known yet'],
  [2, 'Invalid command line, environment variable, file or address of the server'],
  [3, 'No such token, name, version or part of a memory, or its memory was erased'],
  [4, 'Not allowed: wrong API key, wallet or signature'],
  [5, 'Refused in this state: not offered, above the limit, not the owner'],
  [6, 'The wallet cannot pay, or would exceed a spending limit'],
  [7, 'Temporarily unavailable; try again'],
  [8, 'The data is not what the chain records'],
  [9, 'Held back: the memory or file holds text that could mislead its reader'],
  [
    10,
    'In part: an import or an export left out a file or an item, or a further server took no grant; it says which and why',
  ],
  [interruptedCode, 'Interrupted by Ctrl-C, or declined at a prompt'],
])

const ofCode: Readonly<Record<string, number>> = {
  'blob/corrupt': 8,
  'bundle/altered': 8,
  'bundle/unreadable': 8,
  'client/aborted': interruptedCode,
  'client/declined': interruptedCode,
  'client/foreign-contracts': 8,
  'client/no-account': 4,
  'client/no-common-version': 2,
  'client/no-node': 2,
  'client/no-version': 3,
  'client/not-as-requested': 8,
  'client/not-verified': 8,
  'client/unreachable': 7,
  'client/wrong-chain': 2,
  'command/declined': interruptedCode,
  'command/usage': 2,
  'config/invalid': 2,
  'import/unreachable': 7,
  // The address is that of another program, or has a path too many.
  'route/not-found': 2,
  // Sent but not seen in a block: trying again may pay twice.
  'transaction/unconfirmed': 1,
  'transaction/unknown': 1,
}

const ofStatus: Readonly<Record<number, number>> = {
  400: 2,
  405: 2,
  413: 2,
  415: 2,
  404: 3,
  410: 3,
  401: 4,
  403: 4,
  409: 5,
  422: 5,
  402: 6,
  429: 7,
  502: 7,
  503: 7,
  504: 7,
}

type Thrown = {
  readonly code?: unknown
  readonly status?: number | undefined
  readonly retryable?: boolean
}

/** Returns the exit code for a thrown value. */
export function exitCodeOf(error: unknown): number {
  const { code, status, retryable } = Object(error) as Thrown
  const name = String(code)
  if (/^wallet\/|^api-key\/.*-limit$/.test(name)) return 6
  if (name === 'client/bad-answer' && status === 404) return 2
  const reply = statusOf[name as FailureCode] ?? { status, retryable }
  const fallback = reply.retryable ? 7 : 1
  return ofCode[name] ?? ofStatus[reply.status ?? 0] ?? fallback
}
