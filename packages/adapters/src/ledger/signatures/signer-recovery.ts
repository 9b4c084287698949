import type { Account, Hex } from '@heirloom/core'
import { type Keccak, loadKeccak } from '../../platform/keccak.ts'
import { loadRecover, type Recover, type Signature } from './key-recovery.ts'

/** Half the order of secp256k1; an s above it is the second spelling of a signature (EIP-2). */
const highestS = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'

/** A text, and what is said to be somebody's signature of it. */
export type Signed = { readonly message: string; readonly signature: Hex }

/** Returns the wallet that signed, in its EIP-55 spelling; absent where none did. */
export type SignerOf = (signed: Signed) => Promise<Account | undefined>

/** Returns what finds the wallet that signed a text by EIP-191. */
export function signerBy({ recover, keccak }: signerBy.Parts): SignerOf {
  return async ({ message, signature }) => {
    const read = readSignature(signature)
    if (read === undefined) return undefined
    const key = await recover(signedHash(keccak, message), read)
    if (key === undefined) return undefined
    return spelled(keccak, Buffer.from(keccak(key.subarray(1)).subarray(12)).toString('hex'))
  }
}

export declare namespace signerBy {
  type Parts = { readonly recover: Recover; readonly keccak: Keccak }
}

/** Returns the fastest way to find signers in this thread. */
export async function loadSignerHere(): Promise<SignerOf> {
  return signerBy({ recover: await loadRecover(), keccak: await loadKeccak() })
}

/** Returns what a wallet signs for a message (EIP-191). */
export function signedHash(keccak: Keccak, message: string): Uint8Array {
  const length = Buffer.byteLength(message)
  return keccak(Buffer.from(`\x19Ethereum Signed Message:\n${length}${message}`))
}

/** Spells an address by EIP-55: a letter is a capital where the digest of them all says so. */
function spelled(keccak: Keccak, digits: string): Account {
  const digest = Buffer.from(keccak(Buffer.from(digits))).toString('hex')
  let text = '0x'
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charAt(at)
    text += digest.charAt(at) >= '8' ? digit.toUpperCase() : digit
  }
  return text as Account
}

/** Reads 65 bytes of r, s and v, with v in either spelling and s in the lower half. */
function readSignature(hex: Hex): Signature | undefined {
  if (!/^0x[0-9a-fA-F]{130}$/.test(hex)) return undefined
  const bytes = Buffer.from(hex.slice(2), 'hex')
  const v = bytes[64] ?? 0
  const recovery = v >= 27 ? v - 27 : v
  // Digits of one length compare as the numbers do.
  if (hex.slice(66, 130).toLowerCase() > highestS) return undefined
  if (recovery !== 0 && recovery !== 1) return undefined
  return { compact: bytes.subarray(0, 64), recovery }
}
