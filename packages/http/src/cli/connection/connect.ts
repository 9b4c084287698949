import type { Hex } from '@heirloom/core'
import type { LocalAccount } from 'viem/accounts'
import { shownValue } from '../../api/shown-value.ts'
import type { Client, ClientOptions } from '../../client/client.ts'
import { HeirloomError } from '../../client/heirloom-error.ts'
import { type Call, type Options, UsageError, withValue } from '../arguments/command.ts'
import { readAddress, readGrant } from '../arguments/read-values.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { findAccount } from './find-account.ts'

/** The address of a server that was started with no settings. */
export const defaultUrl = 'http://127.0.0.1:3000'

/** The options of every command that calls a server. */
export const serverOptions = {
  url: withValue('URL', 'Address of the server. Default: HEIRLOOM_URL, or http://127.0.0.1:3000.'),
} as const satisfies Options

/** The options of every command that verifies a memory. */
export const proofOptions = {
  'rpc-url': withValue(
    'URL',
    'A node of the chain. Reads the hash there, and not from the server; needs --registry.',
  ),
  registry: withValue(
    'ADDRESS',
    'Address of the registry contract, from a source other than the server.',
  ),
} as const satisfies Options

/** The option of a command that reads memories of others. */
export const grantOption = {
  grant: withValue('GRANT', 'Read by the grant with this id, which the owner gave to your wallet.'),
} as const satisfies Options

/** The parts of a call that select the server, the right to read, and how downloads are verified. */
type ServerCall = Pick<
  Call<never, typeof serverOptions & typeof proofOptions & typeof grantOption>,
  'terminal' | 'options'
>

/** A client, and its wallet if there is one. */
type Connection = { readonly client: Client; readonly account: LocalAccount | undefined }

/** Returns a client without a wallet; its writes are signed by the server. */
export async function connect({
  terminal,
  options,
}: Pick<Call<never, typeof serverOptions>, 'terminal' | 'options'>): Promise<Client> {
  return openClient(terminal, { url: serverUrl({ terminal, options }) })
}

/** Returns a client with the caller's wallet, if there is one. */
export async function connectAsAccount({ terminal, options }: ServerCall): Promise<Connection> {
  const url = serverUrl({ terminal, options })
  const account = await findAccount(terminal, url)
  const proof = readProof(options)
  const client = await openClient(terminal, {
    url,
    ...(account && { account }),
    ...(proof && { proof }),
  })
  const { grant } = options
  if (grant === undefined) return { client, account }
  return { client: { ...client, ...client.granted(readGrant('--grant', grant)) }, account }
}

async function openClient({ env }: Terminal, options: ClientOptions): Promise<Client> {
  const { createClient } = await import('../../client/client.ts')
  return createClient({ ...options, ...apiKeyOf(env.HEIRLOOM_API_KEY) })
}

/** Returns the API key as an option of a client, if there is one. */
export const apiKeyOf = (apiKey: string | undefined): Pick<ClientOptions, 'apiKey'> =>
  apiKey ? { apiKey } : {}

/** Returns the address of the server. @throws a `UsageError` */
export function serverUrl({
  terminal: { env },
  options,
}: Pick<Call<never, typeof serverOptions>, 'terminal' | 'options'>): URL {
  const [name, text] =
    options.url === undefined
      ? ['HEIRLOOM_URL', env.HEIRLOOM_URL || defaultUrl]
      : ['--url', options.url]
  const url = readUrl(name, text)
  if (url.username === '' && url.password === '') return url
  throw new UsageError(
    `${name} must have no name and password in it; the key of a server is HEIRLOOM_API_KEY.`,
  )
}

/** Returns the chain to verify against; undefined to verify against the server. */
export function readProof({
  'rpc-url': rpc,
  registry,
}: ServerCall['options']): ClientOptions['proof'] {
  if (rpc === undefined && registry === undefined) return undefined
  if (rpc === undefined || registry === undefined) {
    throw new UsageError('--rpc-url and --registry must be given together.')
  }
  return { rpcUrl: readUrl('--rpc-url', rpc), registry: readAddress('--registry', registry) }
}

/** Matches the name or address of a machine, with a port. */
const hostPattern = /^[a-z0-9][a-z0-9.-]{0,80}:[0-9]{1,5}$/i

/** Reads the address of a server or node. @throws a `UsageError` */
export function readUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  const advice = hostPattern.test(text) ? ` Did you mean http://${text}?` : ''
  throw new UsageError(
    `${name} must be an http or https URL, such as http://127.0.0.1:3000${shownValue(text)}.${advice}`,
  )
}

type AccountCall = Pick<Call<'ADDRESS', typeof serverOptions>, 'terminal' | 'options'> & {
  readonly words: { readonly ADDRESS?: string | undefined }
}

/**
 * Returns the account that a command names, or else that of your own wallet, or of the server on this machine.
 *
 * @throws a `UsageError`, `client/no-account`
 */
export async function namedAccount(call: AccountCall): Promise<Hex> {
  const { ADDRESS: given } = call.words
  if (given !== undefined) return readAddress('ADDRESS', given)
  const account = await findAccount(call.terminal, serverUrl(call))
  if (account !== undefined) return account.address
  throw noWallet()
}

/** Returns the failure of a command that needs an account where none is set up. */
export const noWallet = (): HeirloomError =>
  new HeirloomError({ code: 'client/no-account', facts: {}, message: 'No wallet.' })
