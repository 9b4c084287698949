import { type Hex, hexToBytes } from 'viem'
import { referenceKeccak } from '../keccak.ts'

/** The parts of an event that a bloom filter is made of. */
export type FilteredLog = { readonly address: Hex; readonly topics: readonly Hex[] }

/** The bloom filter of a block header or a receipt, 256 bytes: it contains each address and topic of the events. */
export type LogBloom = Uint8Array

const bytesOfBloom = 256

/** Decodes the bloom filter of a header; `undefined` where the node shows none. */
export function decodeBloom(value: unknown): LogBloom | undefined {
  const isBloom = typeof value === 'string' && value.length === 2 + 2 * bytesOfBloom
  return isBloom ? hexToBytes(value as Hex) : undefined
}

/** Returns the bloom filter of some events. */
export function bloomOf(logs: readonly FilteredLog[]): LogBloom {
  const bloom = new Uint8Array(bytesOfBloom)
  for (const item of new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))) {
    for (const bit of bitsOf(item)) setBit(bloom, bit)
  }
  return bloom
}

/** Returns whether a filter contains all bits of another one. */
export const contains = (bloom: LogBloom, part: LogBloom): boolean =>
  part.every((byte, index) => (byte & ~(bloom[index] ?? 0)) === 0)

/** Returns whether a filter may contain events of an address. */
export const mayHoldEventsOf = (bloom: LogBloom, address: Hex): boolean =>
  bitsOf(address).every((bit) => hasBit(bloom, bit))

/** Returns the number of bits that are set. */
export const countBits = (bloom: LogBloom): number =>
  bloom.reduce((sum, byte) => sum + bitsOfByte(byte), 0)

/** Returns whether no bit is set. */
export const isEmpty = (bloom: LogBloom): boolean => bloom.every((byte) => byte === 0)

const bitsOfByte = (byte: number): number => byte.toString(2).replaceAll('0', '').length

/** Returns the three bits of an address or a topic: the low 11 bits of three pairs of its hash. */
function bitsOf(item: Hex): readonly number[] {
  const hash = referenceKeccak(hexToBytes(item))
  return [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047)
}

const setBit = (bloom: LogBloom, bit: number): void => {
  const index = bytesOfBloom - 1 - (bit >> 3)
  bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7))
}

const hasBit = (bloom: LogBloom, bit: number): boolean =>
  ((bloom[bytesOfBloom - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0

/**
 * Returns whether events are others than their filter has. Zeros say nothing: some chains have no filters.
 */
export function contradictsBloom(logs: readonly FilteredLog[], filter: Hex): boolean {
  const bloom = decodeBloom(filter)
  if (bloom === undefined) return BigInt(`${filter}0`) !== 0n
  return !isEmpty(bloom) && bloomOf(logs).some((byte, at) => byte !== bloom[at])
}
