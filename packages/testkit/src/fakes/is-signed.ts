import type { Hex, Statement } from '@heirloom/core'
import { type Address, getAddress, recoverMessageAddress } from 'viem'

const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const recoveryBytes = ['00', '01', '1b', '1c']

/** Recovering an address is by far the slowest thing a fake does, and models ask the same often. */
const recovered = new Map<string, Promise<Address | undefined>>()
const mostRecovered = 20_000

/** Tells whether a wallet signed a message (EIP-191); a contract's signature is never recognised. */
export async function signed({ account, message, signature }: Statement): Promise<boolean> {
  if (getAddress(account) !== account || !isCanonical(signature)) return false
  return (await recoverOnce(message, signature)) === account
}

/** One signature must not have two spellings: of s and of its negation, the lower one counts. */
function isCanonical(signature: Hex): boolean {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return false
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  return s <= halfOrder && recoveryBytes.includes(signature.slice(130).toLowerCase())
}

function recoverOnce(message: string, signature: Hex): Promise<Address | undefined> {
  const statement = `${signature}:${message}`
  const known = recovered.get(statement) ?? recover(message, signature)
  if (recovered.size >= mostRecovered) recovered.clear()
  recovered.set(statement, known)
  return known
}

async function recover(message: string, signature: Hex): Promise<Address | undefined> {
  try {
    return await recoverMessageAddress({ message, signature })
  } catch {
    return undefined
  }
}
