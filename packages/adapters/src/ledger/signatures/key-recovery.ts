import { createRequire } from 'node:module'
import { bytesToHex, recoverPublicKey } from 'viem'

/** An ECDSA signature over secp256k1: 32 bytes of r, 32 bytes of s, and the recovery id. */
export type Signature = { readonly compact: Uint8Array; readonly recovery: 0 | 1 }

/** Returns the 65-byte public key that signed a 32-byte hash; `undefined` if there is none. */
export type KeyRecovery = (
  hash: Uint8Array,
  signature: Signature,
) => Promise<Uint8Array | undefined> | Uint8Array | undefined

/** Returns key recovery by libsecp256k1 as a native addon: the fastest, where it loads. */
export function nativeKeyRecovery(): KeyRecovery {
  // The package's entry point falls back to slow JavaScript without notice; its binding does not.
  const load = createRequire(import.meta.url)
  const { ecdsaRecover } = load('secp256k1/bindings.js') as {
    ecdsaRecover(compact: Uint8Array, id: number, hash: Uint8Array, compressed: boolean): Uint8Array
  }
  return (hash, { compact, recovery }) =>
    undefinedOnError(() => ecdsaRecover(compact, recovery, hash, false))
}

/** Returns key recovery by libsecp256k1 compiled to WebAssembly, which runs everywhere. */
export async function wasmKeyRecovery(): Promise<KeyRecovery> {
  // Loaded on demand: it is a large package, and most machines load the native addon.
  const { instantiateSecp256k1 } = await import('@bitauth/libauth')
  const { recoverPublicKeyUncompressed } = await instantiateSecp256k1()
  return (hash, { compact, recovery }) => {
    const key = recoverPublicKeyUncompressed(compact, recovery, hash)
    return typeof key === 'string' ? undefined : key
  }
}

/** Returns key recovery by Noble's JavaScript, through viem: the reference. */
export function referenceKeyRecovery(): KeyRecovery {
  return async (hash, { compact, recovery }) => {
    const signature = bytesToHex(Uint8Array.of(...compact, 27 + recovery))
    const key = await recoverPublicKey({ hash, signature }).catch(() => undefined)
    return key === undefined ? undefined : Uint8Array.from(Buffer.from(key.slice(2), 'hex'))
  }
}

/** Loads the fastest key recovery of this machine. */
export async function loadKeyRecovery(): Promise<KeyRecovery> {
  return undefinedOnError(nativeKeyRecovery) ?? (await wasmKeyRecovery())
}

function undefinedOnError<T>(compute: () => T): T | undefined {
  try {
    return compute()
  } catch {
    return undefined
  }
}
