import { createRequire } from 'node:module'
import { bytesToHex, type Hex, hexToBytes } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'

/** Signs a 32-byte hash with a private key, with the nonce of RFC 6979 and s in the lower half. */
export type Sign = (hash: Uint8Array, key: Uint8Array) => Signature

type Signature = { readonly r: Hex; readonly s: Hex; readonly yParity: number }

/** The operations that need a private key. */
export type Signing = {
  readonly sign: Sign
  /** Returns the address of a private key, with its EIP-55 checksum. */
  readonly addressOf: (privateKey: Hex) => Hex
}

/** Loads libsecp256k1 as a native addon; throws where its binary does not load. */
export function secp256k1Signing(): Signing {
  // The package's entry point falls back silently to slow JavaScript, so its binding is loaded.
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

/** Returns native signing, or `undefined` where it does not load. */
export function loadSigning(): Signing | undefined {
  try {
    return secp256k1Signing()
  } catch {
    return undefined
  }
}
