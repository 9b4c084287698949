import type { Client } from '../../client/client.ts'
import type { Listing } from '../../client/responses.ts'
import type { WriteOptions } from '../../client/transport/transport.ts'
import type { ActOptions, Acts, Wallet } from '../../wallet/wallet.ts'
import { type Call, type Options, withValue } from '../arguments/command.ts'
import { promptConfirm } from '../terminal/prompt.ts'
import { canPrompt } from '../terminal/terminal.ts'
import { connect, serverOptions } from './connect.ts'
import { findOwnWallet, ownWalletOptions, toActOptions } from './own-wallet.ts'

/** The options of every command that makes the server, or your own wallet, send a transaction. */
export const writeOptions = {
  'dry-run': {
    type: 'boolean',
    about: 'Show what would be sent and paid; send nothing.',
  },
  'idempotency-key': withValue(
    'KEY',
    'Run the write only once, however often the command is repeated with this key.',
  ),
  ...ownWalletOptions,
  ...serverOptions,
} as const satisfies Options

/** The options of every command that pays a price. */
export const payOptions = {
  yes: { type: 'boolean', short: 'y', about: 'Do not ask before paying.' },
  ...writeOptions,
} as const satisfies Options

type WriteOptionsCall = Pick<
  Call<never, Pick<typeof writeOptions, 'idempotency-key'>>,
  'options' | 'signal'
>

/** Returns the client's options for a write. */
export function toWriteOptions({ options, signal }: WriteOptionsCall): WriteOptions {
  const { 'idempotency-key': idempotencyKey } = options
  return { signal, ...(idempotencyKey !== undefined && { idempotencyKey }) }
}

/** The writes that the server and your own wallet have in common; only yours pays in dollars. */
export type Writes = Pick<Acts, Exclude<keyof Acts & keyof Client, 'royalty'>> &
  Pick<Client, 'royalty'>

/** The signer of a write: the server, or your own wallet with `--as-wallet`. */
export type Writer = {
  readonly client: Client
  readonly wallet: Wallet | undefined
  readonly writes: Writes
  readonly options: WriteOptions & ActOptions
}

type WriteCall = Pick<
  Call<never, typeof writeOptions>,
  'terminal' | 'options' | 'signal' | 'output'
>

/**
 * Returns the signer of a command.
 *
 * @throws a `UsageError`, and the failures of opening a wallet
 */
export async function connectWriter(call: WriteCall): Promise<Writer> {
  const wallet = await findOwnWallet(call)
  const client = await connect(call)
  return { client, wallet, ...writesOf(call, { client, wallet }) }
}

/** Returns the writes of a signer, and the options of each. */
export const writesOf = (
  call: WriteCall,
  { client, wallet }: Pick<Writer, 'client' | 'wallet'>,
): Pick<Writer, 'writes' | 'options'> =>
  wallet === undefined
    ? { writes: client, options: toWriteOptions(call) }
    : { writes: wallet, options: { ...toActOptions(call), ...toWriteOptions(call) } }

/** Reads the terms of a token; from the chain if your own wallet signs. */
export const readListing = (
  { client, wallet }: Pick<Writer, 'client' | 'wallet'>,
  id: string,
  signal: AbortSignal,
): Promise<Listing> => wallet?.listing(id) ?? client.listing(id, { signal })

type PayCall = Pick<Call<never, typeof payOptions>, 'terminal' | 'output' | 'options'>

/**
 * Asks a person to confirm a payment. Asks nobody with `--yes` or `--json`, or without a terminal.
 *
 * @throws `Declined`
 */
export async function confirmPayment(
  { terminal, output, options }: PayCall,
  question: string,
): Promise<void> {
  if (options.yes || output.json || !canPrompt(terminal)) return
  await promptConfirm(terminal, question)
}
