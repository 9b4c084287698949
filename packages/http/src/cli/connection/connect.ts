import { tokenId } from '@heirloom/core'
import type { LocalAccount } from 'viem/accounts'
import type { Client, ClientOptions } from '../../client/client.ts'
import { accountOf } from './find-account.ts'
import type { Call, Options } from '../arguments/command.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../arguments/usage-error.ts'

/** What every command takes that talks to a server. */
export const serverOptions = {
  url: {
    type: 'string',
    value: 'URL',
    about: 'The server; HEIRLOOM_URL when absent, or else http://127.0.0.1:3000.',
  },
} as const satisfies Options

/** What every command takes that checks a memory. */
export const proofOptions = {
  'rpc-url': {
    type: 'string',
    value: 'URL',
    about: 'A node of the chain, to ask it rather than the server what is recorded.',
  },
  registry: {
    type: 'string',
    value: 'ADDRESS',
    about: 'The registry there, known from elsewhere than the server.',
  },
} as const satisfies Options

/** What tells a command which server, and how a download is checked. */
type ServerCall = Pick<
  Call<never, typeof serverOptions & typeof proofOptions>,
  'terminal' | 'options'
>

/** A client, and the wallet that it signs and receives with. */
type Connection = { readonly client: Client; readonly account: LocalAccount | undefined }

/** Returns a client that reads, and writes for the wallet of the server. */
export async function connect({ terminal, options }: ServerCall): Promise<Client> {
  return clientWith(terminal, { url: serverUrl({ terminal, options }) })
}

/** Returns a client that also has the caller's wallet, where there is one. */
export async function connectAs({ terminal, options }: ServerCall): Promise<Connection> {
  const url = serverUrl({ terminal, options })
  const account = await accountOf(terminal, url)
  const proof = proofOf(options)
  const client = await clientWith(terminal, {
    ...{ url },
    ...(account && { account }),
    ...(proof && { proof }),
  })
  return { client, account }
}

async function clientWith({ env }: Terminal, options: ClientOptions): Promise<Client> {
  const { createClient } = await import('../../client/client.ts')
  const { HEIRLOOM_API_KEY: apiKey } = env
  return createClient({ ...options, ...(apiKey && { apiKey }) })
}

/** Returns where the server is. */
function serverUrl({ terminal: { env }, options }: ServerCall): URL {
  if (options.url !== undefined) return readUrl('--url', options.url)
  return readUrl('HEIRLOOM_URL', env.HEIRLOOM_URL || 'http://127.0.0.1:3000')
}

/** Returns the chain that is asked what is recorded; nothing where that is the server. */
export function proofOf({
  'rpc-url': rpc,
  registry,
}: ServerCall['options']): ClientOptions['proof'] {
  if (rpc === undefined && registry === undefined) return undefined
  if (rpc === undefined || registry === undefined) {
    throw new UsageError('--rpc-url and --registry go together.')
  }
  return { rpcUrl: readUrl('--rpc-url', rpc), registry: readAccount('--registry', registry) }
}

function readUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new UsageError(`${name} must be an http or https address.`)
}

/** Reads the address of a wallet or a contract. */
export function readAccount(name: string, text: string): `0x${string}` {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return text as `0x${string}`
  throw new UsageError(`${name} must be an address, 0x and 40 hexadecimal digits.`)
}

/** Reads the number of a token. */
export function readToken(name: string, text: string): string {
  try {
    return `${tokenId(text)}`
  } catch {
    throw new UsageError(`${name} must be the number of a token.`)
  }
}
