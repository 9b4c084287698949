import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { SpendLimits } from '@heirloom/adapters/internal/wallet'
import { Failure } from '@heirloom/core'
import type { Environment } from '../../config/environment.ts'
import type { ActOptions, SignedAct, Wallet } from '../../wallet/wallet.ts'
import { type Call, type Options, UsageError, withValue } from '../arguments/command.ts'
import { readAmount } from '../arguments/read-amounts.ts'
import { readAddress } from '../arguments/read-values.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { timeText } from '../terminal/value-text.ts'
import { apiKeyOf, connect, noWallet, readUrl, serverOptions, serverUrl } from './connect.ts'
import { findOwnAccount } from './find-account.ts'

/** The options of every command that your own wallet can sign. */
export const ownWalletOptions = {
  'as-wallet': {
    type: 'boolean',
    about: "Sign and pay with your own wallet, and not with the server's.",
  },
  relayed: {
    type: 'boolean',
    about: 'Let the server send what your wallet signs, for its gas. Default: HEIRLOOM_RELAYED.',
  },
  'rpc-url': withValue(
    'URL',
    'The node that your wallet uses. Default: HEIRLOOM_RPC_URL, or the embedded chain of the server.',
  ),
  registry: withValue(
    'ADDRESS',
    'The registry contract that your wallet may use, from a source other than the server.',
  ),
} as const satisfies Options

/** The options of a command that only your own wallet can sign. */
export const actOptions = {
  'dry-run': { type: 'boolean', about: 'Show what would be signed and paid; sign nothing.' },
  relayed: ownWalletOptions.relayed,
  'rpc-url': ownWalletOptions['rpc-url'],
  registry: ownWalletOptions.registry,
  ...serverOptions,
} as const satisfies Options

type OwnCall = Pick<
  Call<never, typeof serverOptions & Omit<typeof ownWalletOptions, 'as-wallet'>>,
  'terminal' | 'options'
>

/** A call of a command that the server or your own wallet signs. */
export type EitherCall = Pick<
  Call<never, typeof serverOptions & typeof ownWalletOptions>,
  'terminal' | 'options'
>

/**
 * Opens your own wallet with `--as-wallet`; returns undefined without it.
 *
 * @throws a `UsageError`, and the failures of `openOwnWallet`
 */
export async function findOwnWallet(call: EitherCall): Promise<Wallet | undefined> {
  const { 'as-wallet': isOwn, ...options } = call.options
  if (isOwn) return openOwnWallet(call)
  const { relayed, registry, 'rpc-url': rpcUrl } = options
  if (relayed || rpcUrl !== undefined || registry !== undefined) {
    throw new UsageError('--relayed, --rpc-url and --registry need --as-wallet.')
  }
  return undefined
}

/**
 * Opens your own wallet, whose key is in HEIRLOOM_PRIVATE_KEY or HEIRLOOM_KEYSTORE.
 *
 * @throws `client/no-account`, `config/invalid` for the wallet of the server, and the failures of
 * opening a wallet
 */
export async function openOwnWallet(call: OwnCall, limits: SpendLimits = {}): Promise<Wallet> {
  const { terminal, options } = call
  const account = await findOwnAccount(terminal)
  if (account === undefined) throw noWallet()
  const url = serverUrl(call)
  const rpcUrl = readNode(call)
  const { registry: expected } = options
  const registry = expected === undefined ? undefined : readAddress('--registry', expected)
  const { agent } = await (await connect(call)).deployment()
  if (agent.toLowerCase() === account.address.toLowerCase()) throw serversWallet()
  const { openWallet } = await import('../../wallet/open-wallet.ts')
  const { walletFile } = await import('./wallet-file.ts')
  const { HEIRLOOM_API_KEY: key } = terminal.env
  const connection = { url, account, rpcUrl, registry, relay: isRelayed(call) }
  const store = walletFile(stateFolderOf(terminal.env))
  const bounds = { ...limits, fee: readFeeLimit(terminal.env) }
  return openWallet({ ...connection, limits: bounds, store, ...apiKeyOf(key) })
}

/** Reads the most that the fees of one act may be. */
function readFeeLimit({ HEIRLOOM_MAX_FEE: text }: Terminal['env']): bigint | undefined {
  return text ? readAmount('HEIRLOOM_MAX_FEE', text) : undefined
}

function isRelayed({ terminal: { env }, options }: OwnCall): boolean {
  const { HEIRLOOM_RELAYED: text = '' } = env
  if (options.relayed || text === 'true') return true
  if (text === '' || text === 'false') return false
  throw new UsageError('HEIRLOOM_RELAYED must be true or false.')
}

function readNode({ terminal: { env }, options }: OwnCall): URL | undefined {
  const { 'rpc-url': url } = options
  if (url !== undefined) return readUrl('--rpc-url', url)
  return env.HEIRLOOM_RPC_URL ? readUrl('HEIRLOOM_RPC_URL', env.HEIRLOOM_RPC_URL) : undefined
}

/**
 * Returns the options of an act; a note names the transaction, or what the server is to relay, as soon
 * as it may reach the chain.
 */
export function toActOptions({
  signal,
  output,
}: Pick<Call, 'signal' | 'output'>): Pick<ActOptions, 'signal' | 'onSent'> {
  const onSent: ActOptions['onSent'] = (hash, signed) => {
    const text = signed === undefined ? `Sending transaction ${hash}` : relayingText(signed)
    output.note([{ style: 'dim', text }]).catch(() => undefined)
  }
  return { signal, onSent }
}

const relayingText = ({ hash, deadline }: SignedAct) =>
  `The server relays what you signed, ${hash}, until ${timeText(`${deadline}`)}`

const serversWallet = () =>
  new Failure('config/invalid', {
    name: 'HEIRLOOM_PRIVATE_KEY',
    problem:
      'is the key of the server, which numbers the transactions of its wallet itself; use another wallet, or let the server sign',
  })

/**
 * Returns the folder of what your wallets must not forget: `HEIRLOOM_STATE_DIR`, or `heirloom` in the
 * folder for state of the XDG directories. It is the same for every working folder.
 */
function stateFolderOf({ HEIRLOOM_STATE_DIR, XDG_STATE_HOME, HOME }: Environment): string {
  if (HEIRLOOM_STATE_DIR) return resolve(HEIRLOOM_STATE_DIR)
  const home = HOME ? HOME : homedir()
  return join(XDG_STATE_HOME ? XDG_STATE_HOME : join(home, '.local', 'state'), 'heirloom')
}
