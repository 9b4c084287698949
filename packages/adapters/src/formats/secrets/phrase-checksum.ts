import { sha256 } from 'viem'

/**
 * Returns whether the checksum of a recovery phrase is right (BIP-39): the places of its words in their
 * list, 11 bits each, are the entropy and behind it the first bits of its SHA-256, one for each three
 * words.
 */
export function hasChecksum(places: readonly number[]): boolean {
  const entropy = new Uint8Array((places.length * 4) / 3)
  let [at, held, bits] = [0, 0, 0]
  for (const place of places) {
    held = (held << 11) | place
    bits += 11
    for (; bits >= 8 && at < entropy.length; bits -= 8) {
      entropy[at++] = held >> (bits - 8)
      held &= (1 << (bits - 8)) - 1
    }
  }
  const [first = 0] = sha256(entropy, 'bytes')
  return first >> (8 - places.length / 3) === held
}
