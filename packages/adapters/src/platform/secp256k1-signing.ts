import { createRequire } from 'node:module'
import { bytesToHex, type Hex, hexToBytes } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'

/** Signs a 32-byte hash with a private key, with the nonce of RFC 6979 and s in the lower half. */
export type Sign = (hash: Uint8Array, key: Uint8Array) => Signature

type Signature = { readonly r: Hex; readonly s: Hex; readonly yParity: number }

/** What is done with private keys. */
export type Signing = {
  readonly sign: Sign
  /** Returns the address of a private key, in its EIP-55 spelling. */
  readonly addressOf: (privateKey: Hex) => Hex
}

/** libsecp256k1 as a native addon, where its binary loads. */
export function nativeSigning(): Signing {
  // The package's own entrance falls back to slow JavaScript in silence, so its binding is taken.
  const load = createRequire(import.meta.url)
  const { ecdsaSign, publicKeyCreate } = load('secp256k1/bindings.js') as {
    ecdsaSign(hash: Uint8Array, key: Uint8Array): { signature: Uint8Array; recid: number }
    publicKeyCreate(key: Uint8Array, compressed: boolean): Uint8Array
  }
  return {
    sign: (hash, key) => {
      const { signature, recid } = ecdsaSign(hash, key)
      const [r, s] = [signature.subarray(0, 32), signature.subarray(32)]
      return { r: bytesToHex(r), s: bytesToHex(s), yParity: recid }
    },
    addressOf: (key) => publicKeyToAddress(bytesToHex(publicKeyCreate(hexToBytes(key), false))),
  }
}

/** Returns the fast code, where it loads. */
export function loadedSigning(): Signing | undefined {
  try {
    return nativeSigning()
  } catch {
    return undefined
  }
}
