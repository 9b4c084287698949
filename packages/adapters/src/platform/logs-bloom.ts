import { bytesToHex, type Hex, keccak256 } from 'viem'

/** The parts of an event that its filter is made of. */
export type FilteredLog = { readonly address: Hex; readonly topics: readonly Hex[] }

/** The length of a filter, in bytes. */
const filterLength = 256

/** Returns the Bloom filter of events, as receipts and headers of blocks have it: 256 bytes. */
export function bloomOf(logs: readonly FilteredLog[]): Hex {
  const bloom = new Uint8Array(filterLength)
  const texts = logs.flatMap(({ address, topics }) => [address.toLowerCase(), ...topics])
  // Events share the address, the name and the accounts, and each hash takes microseconds.
  for (const text of new Set(texts)) {
    for (const bit of bitsOf(text as Hex)) {
      const at = filterLength - 1 - (bit >> 3)
      bloom[at] = (bloom[at] ?? 0) | (1 << (bit & 7))
    }
  }
  return bytesToHex(bloom)
}

/** Returns the three bits of a filter that an address or a topic sets. */
function bitsOf(text: Hex): readonly number[] {
  const sum = keccak256(text, 'bytes')
  return [0, 2, 4].map((at) => (((sum[at] ?? 0) << 8) | (sum[at + 1] ?? 0)) & 2047)
}

/** Returns whether events are others than their filter has. Zeros say nothing: some chains have no filters. */
export const contradictsBloom = (logs: readonly FilteredLog[], bloom: Hex): boolean =>
  BigInt(bloom) !== 0n && bloomOf(logs) !== bloom.toLowerCase()
