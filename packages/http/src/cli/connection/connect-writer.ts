import type { Client } from '../../client/client.ts'
import type { WriteOptions } from '../../client/transport/transport.ts'
import type { ActOptions, Acts, Wallet } from '../../wallet/wallet.ts'
import type { Call } from '../arguments/command.ts'
import { connect } from './connect.ts'
import { findOwnWallet, toActOptions } from './own-wallet.ts'
import { toWriteOptions, type writeOptions } from './write-options.ts'

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
