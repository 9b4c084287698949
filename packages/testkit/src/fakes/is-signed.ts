import type { Hex, Statement } from '@heirloom/core'
import { type Address, recoverMessageAddress } from 'viem'
import { checksummed } from './chain-state.ts'

const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const recoveryBytes = ['00', '01', '1b', '1c']

/** Recovery is by far the slowest operation of the fakes, and models repeat the same signatures. */
const recovered = new Map<string, Promise<Address | undefined>>()
const maxRecovered = 20_000

/** Returns whether an account signed a message (EIP-191); never accepts a contract's signature. */
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
  remember(`${signature}:${message}`, Promise.resolve(account))
}

function recoverOnce(message: string, signature: Hex): Promise<Address | undefined> {
  const statement = `${signature}:${message}`
  const result = recovered.get(statement) ?? recover(message, signature)
  remember(statement, result)
  return result
}

function remember(statement: string, result: Promise<Address | undefined>): void {
  if (recovered.size >= maxRecovered) recovered.clear()
  recovered.set(statement, result)
}

async function recover(message: string, signature: Hex): Promise<Address | undefined> {
  try {
    return await recoverMessageAddress({ message, signature })
  } catch {
    return undefined
  }
}
