import { type Account, account, type Hex, type Statement, type TypedHash } from '@heirloom/core'
import {
  type Address,
  getContractAddress,
  recoverAddress,
  recoverMessageAddress,
  slice,
} from 'viem'
import { type ChainState, checksummed } from './chain-state.ts'

const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const recoveryBytes = ['00', '01', '1b', '1c']

/** Recovery is by far the slowest operation of the fakes, and models repeat the same signatures. */
const recovered = new Map<string, Promise<Address | undefined>>()
const maxRecovered = 20_000

/** Returns whether an account signed a message; never accepts a contract's signature. */
export async function isSigned({ account, message, signature }: Statement): Promise<boolean> {
  if (checksummed(account) !== account || !isCanonical(signature)) return false
  return (await recoverOnce(message, signature)) === account
}

/**
 * Returns whether a signature is in its only valid form: 65 bytes with the lower of both s values.
 */
function isCanonical(signature: Hex): boolean {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return false
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  return s <= halfOrder && recoveryBytes.includes(signature.slice(130).toLowerCase())
}

/**
 * Remembers a signature that the key of an account has just made, which therefore recovers to that
 * account.
 */
export function rememberSigned({ account, message, signature }: Statement): void {
  remember(keyOf(message, signature), Promise.resolve(account))
}

type Message = Statement['message']

const isTyped = (message: Message): message is TypedHash => typeof message !== 'string'

const keyOf = (message: Message, signature: Hex): string =>
  isTyped(message) ? `${signature} ${message.typedHash}` : `${signature}:${message}`

function recoverOnce(message: Message, signature: Hex): Promise<Address | undefined> {
  const statement = keyOf(message, signature)
  const result = recovered.get(statement) ?? recover(message, signature)
  remember(statement, result)
  return result
}

function remember(statement: string, result: Promise<Address | undefined>): void {
  if (recovered.size >= maxRecovered) recovered.clear()
  recovered.set(statement, result)
}

async function recover(message: Message, signature: Hex): Promise<Address | undefined> {
  try {
    if (isTyped(message)) return await recoverAddress({ hash: message.typedHash, signature })
    return await recoverMessageAddress({ message, signature })
  } catch {
    return undefined
  }
}

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
