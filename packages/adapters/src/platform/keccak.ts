import { createRequire } from 'node:module'
import type { IHasher } from 'hash-wasm'
import { keccak256 } from 'viem'

/** Returns the Keccak-256 digest of some bytes, 32 bytes. */
export type Keccak = (bytes: Uint8Array) => Uint8Array

/** Loads Keccak compiled to WebAssembly, which is many times as fast for short inputs. */
export async function wasmKeccak(): Promise<Keccak> {
  // The package's entry point would load every other hash function, too.
  const load = createRequire(import.meta.url)
  const { createKeccak } = load('hash-wasm/dist/keccak.umd.min.js') as {
    createKeccak(bits: 256): Promise<IHasher>
  }
  const hasher = await createKeccak(256)
  return (bytes) => hasher.init().update(bytes).digest('binary')
}

/** Computes Keccak-256 in JavaScript (noble, through viem); the reference for the fast one. */
export const referenceKeccak: Keccak = (bytes) => keccak256(bytes, 'bytes')

/** Loads the fastest Keccak that this machine can run. */
export async function loadKeccak(): Promise<Keccak> {
  return wasmKeccak().catch(() => referenceKeccak)
}
