import type { NameCalls } from '../../client/name-calls.ts'
import type { Call, Options } from '../arguments/command.ts'
import { connectAsAccount, type serverOptions } from './connect.ts'
import { findOwnWallet, openOwnWallet, ownWalletOptions } from './own-wallet.ts'

/** The option of every command that uses names. */
export const asWalletOption = {
  'as-wallet': {
    type: 'boolean',
    about: 'Sign with your own wallet alone. Names are those of your wallet without it, too.',
  },
} as const satisfies Options

/** The options of every command for names that sends no transaction. */
export const namesOptions = {
  ...asWalletOption,
  'rpc-url': ownWalletOptions['rpc-url'],
  registry: ownWalletOptions.registry,
} as const satisfies Options

type NamesCall = Pick<
  Call<never, typeof serverOptions & typeof namesOptions>,
  'terminal' | 'options' | 'signal'
>

/** The calls for the names that a command uses. */
export type OpenNames = Omit<NameCalls, 'findName'>

/**
 * Returns the calls for the names that you may open: those of your account, and of those of the API key
 * or the operator what was minted to it. `--as-wallet` signs with your own wallet alone.
 */
export async function openNames(call: NamesCall): Promise<OpenNames> {
  return (await findOwnWallet(call)) ?? openServerNames(call)
}

/** Returns the same for a command that also verifies memories by a node, without `--as-wallet` too. */
export const openNamesOfReads = async (call: NamesCall): Promise<OpenNames> =>
  call.options['as-wallet'] ? openOwnWallet(call) : openServerNames(call)

async function openServerNames(call: NamesCall): Promise<OpenNames> {
  const { client } = await connectAsAccount(call)
  const { signal } = call
  return {
    names: (page) => client.names(page, { signal }),
    versions: (name, page) => client.memory(name).log(page, { signal }),
    renameName: (name, to) => client.memory(name).rename(to, { signal }),
    forgetName: (name, { after = 'last' } = {}) =>
      client.memory(name, { seen: after }).forget({ signal }),
  }
}
