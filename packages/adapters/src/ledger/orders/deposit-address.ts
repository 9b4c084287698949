import type { Account, Hash } from '@heirloom/core'
import { concatHex, getCreate2Address } from 'viem'
import type { DeployedPair } from '../contract-pair.ts'

/**
 * Returns the address that an order is paid to, as `depositOf` of the contracts does: that of a
 * minimal proxy (ERC-1167) of the deposit code, which the marketplace creates with the hash of the
 * order as salt (EIP-1014).
 */
export function depositAddress(
  orderHash: Hash,
  { marketplace, depositCode }: Pick<DeployedPair, 'marketplace' | 'depositCode'>,
): Account {
  const bytecode = concatHex([proxyHead, depositCode, proxyTail])
  return getCreate2Address({ from: marketplace, salt: orderHash, bytecode }) as Account
}

// The creation code of OpenZeppelin's `Clones`, before and after the address of the code.
const proxyHead = '0x3d602d80600a3d3981f3363d3d373d3d3d363d73'
const proxyTail = '0x5af43d82803e903d91602b57fd5bf3'
