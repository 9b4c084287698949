import type { Account, Hex, Statement } from '@heirloom/core'
import { type Keccak, loadKeccak } from '../../platform/keccak.ts'
import { type KeyRecovery, loadKeyRecovery, type Signature } from './key-recovery.ts'

/** Half the order of secp256k1. A signature with a higher s is refused as malleable (EIP-2). */
const highestS = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'

/** A message with a signature that may be valid. */
export type SignedMessage = Pick<Statement, 'message' | 'signature'>

/** Returns the EIP-55 address that signed a message; `undefined` if there is none. */
export type SignerRecovery = (signed: SignedMessage) => Promise<Account | undefined>

/** Returns the signer recovery that uses the given key recovery and hash function. */
export function signerRecovery({ recoverKey, keccak }: signerRecovery.Parts): SignerRecovery {
  return async ({ message, signature }) => {
    const decoded = decodeSignature(signature)
    if (decoded === undefined) return undefined
    const key = await recoverKey(messageHash(keccak, message), decoded)
    if (key === undefined) return undefined
    return checksummed(keccak, Buffer.from(keccak(key.subarray(1)).subarray(12)).toString('hex'))
  }
}

export declare namespace signerRecovery {
  type Parts = { readonly recoverKey: KeyRecovery; readonly keccak: Keccak }
}

/** Loads the fastest signer recovery that runs in this thread. */
export async function loadLocalRecovery(): Promise<SignerRecovery> {
  return signerRecovery({ recoverKey: await loadKeyRecovery(), keccak: await loadKeccak() })
}

/** Returns the hash that an account signs for a text (EIP-191), or for a value (EIP-712). */
export function messageHash(keccak: Keccak, message: Statement['message']): Uint8Array {
  if (typeof message !== 'string') return Buffer.from(message.typedHash.slice(2), 'hex')
  const length = Buffer.byteLength(message)
  return keccak(Buffer.from(`\x19Ethereum Signed Message:\n${length}${message}`))
}

/** Returns an address with its EIP-55 checksum: the hash of the digits selects the capitals. */
function checksummed(keccak: Keccak, digits: string): Account {
  const digest = Buffer.from(keccak(Buffer.from(digits))).toString('hex')
  let text = '0x'
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charAt(index)
    text += digest.charAt(index) >= '8' ? digit.toUpperCase() : digit
  }
  return text as Account
}

/** Decodes 65 bytes of r, s and v, where v is 0, 1, 27 or 28 and s is in the lower half. */
function decodeSignature(hex: Hex): Signature | undefined {
  if (!/^0x[0-9a-fA-F]{130}$/.test(hex)) return undefined
  const bytes = Buffer.from(hex.slice(2), 'hex')
  const v = bytes[64] ?? 0
  const recovery = v >= 27 ? v - 27 : v
  // Hexadecimal strings of equal length compare like numbers.
  if (hex.slice(66, 130).toLowerCase() > highestS) return undefined
  if (recovery !== 0 && recovery !== 1) return undefined
  return { compact: bytes.subarray(0, 64), recovery }
}
