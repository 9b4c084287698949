/** Returns the SHA-256 of bytes: 32 bytes. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

/** Returns the HMAC-SHA256 of a message under the key it was made for: 32 bytes. */
export type Hmac = (message: Uint8Array) => Uint8Array

/** The length of a block of SHA-256, in bytes. */
const blockLength = 64

/** The longest message that needs no bytes of its own, in bytes. */
const shortMessage = 448

/** Makes the HMAC-SHA256 (RFC 2104) of a key of at most 64 bytes. */
export function hmacSha256(sha256: Sha256, key: Uint8Array): Hmac {
  const padInto = (room: number, pad: number) => {
    const padded = new Uint8Array(blockLength + room).fill(pad, 0, blockLength)
    for (const [at, byte] of key.entries()) padded[at] = byte ^ pad
    return padded
  }
  // Made once for many messages: a long document has thousands.
  const [inner, outer] = [padInto(shortMessage, 0x36), padInto(32, 0x5c)]
  return (message) => {
    outer.set(sha256(withMessage(inner, message)), blockLength)
    return sha256(outer)
  }
}

function withMessage(padded: Uint8Array, message: Uint8Array): Uint8Array {
  if (message.length > shortMessage) return joinBytes([padded.subarray(0, blockLength), message])
  padded.set(message, blockLength)
  return padded.subarray(0, blockLength + message.length)
}

/** Derives a key of 32 bytes with HKDF-SHA256 (RFC 5869), without a salt. */
export function deriveKey(sha256: Sha256, key: Uint8Array, info: Uint8Array): Uint8Array {
  const extracted = hmacSha256(sha256, new Uint8Array(32))(key)
  return hmacSha256(sha256, extracted)(joinBytes([info, Uint8Array.of(1)]))
}

/** Returns parts of bytes as one. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
