import { type Account, account, type Hex, type Statement } from '@heirloom/core'
import { getContractAddress, slice } from 'viem'
import { type ChainState, checksummed } from './chain-state.ts'
import { isSigned } from './is-signed.ts'

const signatureBytes = 65

/** Adds a contract wallet that needs the signatures of all its owners; returns its address. */
export function sharedWallet({ wallets }: ChainState, owners: readonly Account[]): Account {
  const [from = `0x${'0'.repeat(40)}` as Hex] = owners
  const address = account(getContractAddress({ from, nonce: BigInt(2 ** 40 + wallets.size) }))
  wallets.set(address, owners.map(checksummed).toSorted(byNumber))
  return address
}

const byNumber = (one: Account, other: Account): number =>
  one.toLowerCase() < other.toLowerCase() ? -1 : 1

/** Returns whether every owner of a contract wallet signed, in the order of their addresses. */
export async function walletSigned(
  { wallets }: ChainState,
  { account: wallet, message, signature }: Statement,
): Promise<boolean> {
  const owners = wallets.get(wallet)
  if (owners === undefined || signature.length !== 2 + 2 * signatureBytes * owners.length)
    return false
  const statements = owners.map((owner, index) => ({
    account: owner,
    message,
    signature: slice(signature, signatureBytes * index, signatureBytes * (index + 1)),
  }))
  return (await Promise.all(statements.map(isSigned))).every(Boolean)
}
