import { createPublicKey } from 'node:crypto'

/**
 * Returns a signature in DER, as most services give it, as 64 bytes of r and s. Throws an error for
 * anything else.
 */
export function signatureOfDer(der: Uint8Array): Uint8Array {
  const body = readValue(der, 0, 0x30)
  const r = readValue(der, body.start, 0x02)
  const s = readValue(der, r.end, 0x02)
  if (body.end !== der.length || s.end !== body.end)
    throw new Error('The signature has more bytes.')
  const signature = new Uint8Array(64)
  signature.set(thirtyTwoOf(der.subarray(r.start, r.end)), 0)
  signature.set(thirtyTwoOf(der.subarray(s.start, s.end)), 32)
  return signature
}

/** Returns the place of a value of a type. Lengths of 128 and more do not occur in a signature. */
function readValue(der: Uint8Array, at: number, type: number) {
  const length = der[at + 1] ?? 0x80
  const [start, end] = [at + 2, at + 2 + length]
  if (der[at] !== type || length >= 0x80 || end > der.length) {
    throw new Error('The signature is not one of ECDSA in DER.')
  }
  return { start, end }
}

/** Returns a positive integer as 32 bytes; in DER a zero stands before a first bit that is set. */
function thirtyTwoOf(integer: Uint8Array): Uint8Array {
  const [first = 0x80] = integer
  const digits = integer.subarray(integer.findIndex((byte) => byte !== 0))
  if (first >= 0x80 || digits.length > 32) throw new Error('A part of the signature is too large.')
  const bytes = new Uint8Array(32)
  bytes.set(digits, 32 - digits.length)
  return bytes
}

/**
 * Returns a public key of secp256k1 in DER (SubjectPublicKeyInfo), as most services give it, as 65
 * bytes. Throws an error for anything else.
 */
export function publicKeyOfDer(der: Uint8Array): Uint8Array {
  const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
  const { crv, x = '', y = '' } = key.export({ format: 'jwk' })
  if (crv !== 'secp256k1') throw new Error(`The key is of ${crv}, and not of secp256k1.`)
  return Uint8Array.of(4, ...Buffer.from(x, 'base64url'), ...Buffer.from(y, 'base64url'))
}
