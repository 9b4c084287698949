import { createRequire } from 'node:module'
import { bytesToHex, recoverPublicKey } from 'viem'

/** An ECDSA signature over secp256k1: 32 bytes of r, 32 bytes of s, and which of two keys made it. */
export type Signature = { readonly compact: Uint8Array; readonly recovery: 0 | 1 }

/** Returns the 65 bytes of the public key that signed a 32-byte hash; absent when no key did. */
export type Recover = (
  hash: Uint8Array,
  signature: Signature,
) => Promise<Uint8Array | undefined> | Uint8Array | undefined

/** libsecp256k1 as a native addon: the fastest, where its binary loads. */
export function nativeRecover(): Recover {
  // The package's own entrance falls back to slow JavaScript in silence, so its binding is taken.
  const load = createRequire(import.meta.url)
  const { ecdsaRecover } = load('secp256k1/bindings.js') as {
    ecdsaRecover(compact: Uint8Array, id: number, hash: Uint8Array, compressed: boolean): Uint8Array
  }
  return (hash, { compact, recovery }) =>
    orNothing(() => ecdsaRecover(compact, recovery, hash, false))
}

/** libsecp256k1 compiled to WebAssembly: the same everywhere. */
export async function wasmRecover(): Promise<Recover> {
  // Loaded only here: the native addon is there on most machines, and this is a large package.
  const { instantiateSecp256k1 } = await import('@bitauth/libauth')
  const { recoverPublicKeyUncompressed } = await instantiateSecp256k1()
  return (hash, { compact, recovery }) => {
    const key = recoverPublicKeyUncompressed(compact, recovery, hash)
    return typeof key === 'string' ? undefined : key
  }
}

/** Noble's JavaScript, through viem: the reference. */
export function referenceRecover(): Recover {
  return async (hash, { compact, recovery }) => {
    const signature = bytesToHex(Uint8Array.of(...compact, 27 + recovery))
    const key = await recoverPublicKey({ hash, signature }).catch(() => undefined)
    return key === undefined ? undefined : Uint8Array.from(Buffer.from(key.slice(2), 'hex'))
  }
}

/** Returns the fastest way to recover a key that this machine has. */
export async function loadRecover(): Promise<Recover> {
  return orNothing(nativeRecover) ?? (await wasmRecover())
}

function orNothing<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
