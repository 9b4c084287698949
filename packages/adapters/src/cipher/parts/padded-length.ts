/** The least length of a pack in bytes. */
const leastLength = 256

/**
 * Returns the length that a pack is padded to (Padmé): at most 12% more, and so few different lengths
 * that one says little about the content.
 */
export function paddedLength(length: number): number {
  if (length <= leastLength) return leastLength
  const exponent = 31 - Math.clz32(length)
  const retained = 32 - Math.clz32(exponent)
  const step = 2 ** (exponent - retained)
  return Math.ceil(length / step) * step
}
