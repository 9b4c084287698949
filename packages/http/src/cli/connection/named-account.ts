import type { Hex } from '@heirloom/core'
import { HeirloomError } from '../../client/heirloom-error.ts'
import { readAddress } from '../arguments/read-address.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { findOwnAccount } from './find-account.ts'

/**
 * Returns the account that a command names, or else that of your own wallet.
 *
 * @throws a `UsageError`, `client/no-account`
 */
export async function namedAccount(terminal: Terminal, given: string | undefined): Promise<Hex> {
  if (given !== undefined) return readAddress('ADDRESS', given)
  const account = await findOwnAccount(terminal)
  if (account !== undefined) return account.address
  throw new HeirloomError({ code: 'client/no-account', facts: {}, message: 'No wallet.' })
}
