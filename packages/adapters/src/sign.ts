import { createRequire } from 'node:module'
import { bytesToHex, type Hex } from 'viem'

/** Signs a 32-byte hash with a private key, with the nonce of RFC 6979 and s in the lower half. */
export type Sign = (hash: Uint8Array, key: Uint8Array) => Signature

type Signature = { readonly r: Hex; readonly s: Hex; readonly yParity: number }

/** libsecp256k1 as a native addon, where its binary loads. */
export function nativeSign(): Sign {
  // The package's own entrance falls back to slow JavaScript in silence, so its binding is taken.
  const load = createRequire(import.meta.url)
  const { ecdsaSign } = load('secp256k1/bindings.js') as {
    ecdsaSign(hash: Uint8Array, key: Uint8Array): { signature: Uint8Array; recid: number }
  }
  return (hash, key) => {
    const { signature, recid } = ecdsaSign(hash, key)
    const [r, s] = [signature.subarray(0, 32), signature.subarray(32)]
    return { r: bytesToHex(r), s: bytesToHex(s), yParity: recid }
  }
}

/** Returns the fast code, where it loads. */
export function loadedSign(): Sign | undefined {
  try {
    return nativeSign()
  } catch {
    return undefined
  }
}
