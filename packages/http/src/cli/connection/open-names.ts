import type { OwnNames } from '../../wallet/wallet.ts'
import type { Call, Options } from '../arguments/command.ts'
import { connect, type serverOptions } from './connect.ts'
import { findOwnWallet, ownWalletOptions } from './own-wallet.ts'

/** The option of every command that reads names. */
export const asWalletOption = {
  'as-wallet': {
    type: 'boolean',
    about: 'Read the names of your own wallet, which signs the request.',
  },
} as const satisfies Options

/** The options of every command that only reads names. */
export const namesOptions = {
  ...asWalletOption,
  'rpc-url': ownWalletOptions['rpc-url'],
  registry: ownWalletOptions.registry,
} as const satisfies Options

type NamesCall = Pick<
  Call<never, typeof serverOptions & typeof namesOptions>,
  'terminal' | 'options' | 'signal'
>

/**
 * Returns the reads of the names of the API key or the operator, and with `--as-wallet` those of your
 * own wallet.
 */
export async function openNames(call: NamesCall): Promise<OwnNames> {
  const wallet = await findOwnWallet(call)
  if (wallet !== undefined) return wallet
  const client = await connect(call)
  const { signal } = call
  return {
    names: (page) => client.names(page, { signal }),
    versions: (name, page) => client.memory(name).log(page, { signal }),
  }
}
