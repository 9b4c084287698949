import { type Account, account, type Hex, type Statement } from '@heirloom/core'
import { getContractAddress, slice } from 'viem'
import { type ChainState, spelled } from './chain-state.ts'
import { signed } from './is-signed.ts'

const pieceBytes = 65

/** Keeps a contract wallet whose owners all sign, and returns its address. */
export function sharedWallet({ wallets }: ChainState, owners: readonly Account[]): Account {
  const [from = `0x${'0'.repeat(40)}` as Hex] = owners
  const address = account(getContractAddress({ from, nonce: BigInt(2 ** 40 + wallets.size) }))
  wallets.set(address, owners.map(spelled).toSorted(byNumber))
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
  if (owners === undefined || signature.length !== 2 + 2 * pieceBytes * owners.length) return false
  const pieces = owners.map((owner, index) => ({
    account: owner,
    message,
    signature: slice(signature, pieceBytes * index, pieceBytes * (index + 1)),
  }))
  return (await Promise.all(pieces.map(signed))).every(Boolean)
}
