import type { Hex } from '@heirloom/core'
import { HeirloomError } from '../../client/heirloom-error.ts'
import type { Call } from '../arguments/command.ts'
import { readAddress } from '../arguments/read-address.ts'
import { type serverOptions, serverUrl } from './connect.ts'
import { findAccount } from './find-account.ts'

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
  throw new HeirloomError({ code: 'client/no-account', facts: {}, message: 'No wallet.' })
}
