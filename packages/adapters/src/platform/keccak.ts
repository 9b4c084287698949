import { createRequire } from 'node:module'
import type { IHasher } from 'hash-wasm'
import { keccak256 } from 'viem'

/** Returns the 32 bytes of the Keccak-256 digest of some bytes. */
export type Keccak = (bytes: Uint8Array) => Uint8Array

/** Keccak compiled to WebAssembly: many times as fast on short texts. */
export async function wasmKeccak(): Promise<Keccak> {
  // The package's entrance brings every other hash function along.
  const load = createRequire(import.meta.url)
  const { createKeccak } = load('hash-wasm/dist/keccak.umd.min.js') as {
    createKeccak(bits: 256): Promise<IHasher>
  }
  const hasher = await createKeccak(256)
  return (bytes) => hasher.init().update(bytes).digest('binary')
}

/** Noble's JavaScript, through viem: the reference. */
export const referenceKeccak: Keccak = (bytes) => keccak256(bytes, 'bytes')

/** Returns the fastest Keccak that this machine runs. */
export async function loadKeccak(): Promise<Keccak> {
  return wasmKeccak().catch(() => referenceKeccak)
}
