import { type Account, account, Failure } from '@heirloom/core'
import { checksumAddress, type Hex, isAddress } from 'viem'

/** The pattern of an address, in any case. */
export const addressPattern = '^0x[0-9a-fA-F]{40}$'

/**
 * Parses an address with an EIP-55 checksum or in a single case, and returns it with the checksum.
 * Mixed case with a wrong checksum means a typing error.
 *
 * @throws `value/invalid`
 */
export function readAddress(text: string): Account {
  const address = account(text)
  const digits = address.slice(2)
  const hasOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!hasOneCase && !isAddress(address)) {
    throw new Failure('value/invalid', {
      kind: 'wallet address',
      problem: 'in mixed case is in its EIP-55 spelling',
    })
  }
  return account(checksumAddress(address.toLowerCase() as Hex))
}
