import { type Account, account, Failure } from '@heirloom/core'
import { checksumAddress, type Hex, isAddress } from 'viem'

/** The spelling of an address, its letters in any case. */
export const addressPattern = '^0x[0-9a-fA-F]{40}$'

/**
 * Reads an address in its EIP-55 spelling or in one case only, and returns it in EIP-55 spelling.
 * Mixed case that is not EIP-55 has a wrong digit somewhere.
 *
 * @throws `value/invalid`
 */
export function readAddress(text: string): Account {
  const address = account(text)
  const digits = address.slice(2)
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!oneCase && !isAddress(address)) {
    throw new Failure('value/invalid', {
      kind: 'wallet address',
      problem: 'in mixed case is in its EIP-55 spelling',
    })
  }
  return account(checksumAddress(address.toLowerCase() as Hex))
}
