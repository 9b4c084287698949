import { type Hex, keccak256 } from 'viem'

/** Runtime code without its immutable values. */
export type RuntimeCode = {
  /** In bytes. */
  readonly length: number
  /** The keccak-256 hash of the code with zeros in place of the immutable values. */
  readonly hash: Hex
  /** The places of the immutable values, in bytes. One value may stand in several. */
  readonly immutables: readonly {
    readonly name: string
    readonly start: number
    readonly length: number
  }[]
}

/** Immutable values by name, each a word of 32 bytes in lower-case hex. */
export type Immutables = Readonly<Record<string, Hex>>

/** The code without values that had its hash: each deployment of a release has the same. */
const verified = new WeakMap<RuntimeCode, string>()

/**
 * Returns the immutable values in deployed code, or `undefined` if the rest of the code is not the
 * given one, or one value differs from place to place.
 */
export function readImmutables(deployed: string, runtime: RuntimeCode): Immutables | undefined {
  const { length, hash, immutables } = runtime
  if (deployed.length !== 2 + 2 * length) return undefined
  const values: Record<string, Hex> = {}
  let masked = deployed.toLowerCase()
  for (const { name, start, length: size } of immutables) {
    const [from, to] = [2 + 2 * start, 2 + 2 * (start + size)]
    const value: Hex = `0x${masked.slice(from, to)}`
    if (value !== (values[name] ?? value)) return undefined
    values[name] = value
    masked = masked.slice(0, from) + '0'.repeat(2 * size) + masked.slice(to)
  }
  if (verified.get(runtime) === masked) return values
  if (keccak256(masked as Hex) !== hash) return undefined
  verified.set(runtime, masked)
  return values
}

/** The code of the contracts of one release. */
export type PairRuntimes = {
  readonly [part in 'registry' | 'marketplace' | 'forwarder' | 'depositCode']: RuntimeCode
}
