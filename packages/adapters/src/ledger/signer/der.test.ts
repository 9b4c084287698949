import { createPrivateKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { publicKeyOfDer, signatureOfDer } from './der.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })

/** Returns an integer in DER. */
function integer(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0)
  const digits = bytes.subarray(Math.max(0, first))
  const body = (digits[0] ?? 0) >= 0x80 ? Uint8Array.of(0, ...digits) : digits
  return Uint8Array.of(0x02, body.length, ...body)
}

const part = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => bytes.some((byte) => byte !== 0))

/** Parts with zeros at their beginning, which DER leaves out. */
const short = fc
  .tuple(part, fc.nat(31))
  .map(([bytes, zeros]) => bytes.fill(0, 0, zeros).fill(1, 31))

test('reads r and s back from any signature in DER', () => {
  const any = fc.oneof(part, short)
  fc.assert(
    fc.property(any, any, (r, s) => {
      const body = Uint8Array.of(...integer(r), ...integer(s))
      const der = Uint8Array.of(0x30, body.length, ...body)
      expect(signatureOfDer(der)).toEqual(Uint8Array.of(...r, ...s))
    }),
  )
})

test('reads the signatures of OpenSSL as it verifies them', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (data) => {
      const signature = signatureOfDer(sign('sha256', data, privateKey))
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
      expect(verify('sha256', data, key, signature)).toBe(true)
    }),
  )
})

test('throws at anything that is no signature, and reads nothing beyond its end', () => {
  const der = sign('sha256', Buffer.from('data'), privateKey)
  fc.assert(
    fc.property(fc.nat(der.length - 1), (length) => {
      expect(() => signatureOfDer(der.subarray(0, length))).toThrow()
    }),
  )
  const large = Uint8Array.of(0x02, 33, 1, ...new Uint8Array(32))
  const one = Uint8Array.of(0x02, 1, 1)
  for (const wrong of [
    Uint8Array.of(...der, 0),
    Uint8Array.of(0x31, ...der.subarray(1)),
    Uint8Array.of(0x30, large.length + 3, ...large, ...one),
    Uint8Array.of(0x30, 6, 0x02, 1, 0x80, ...one),
    Uint8Array.of(0x30, 5, 0x02, 0, ...one),
  ]) {
    expect(() => signatureOfDer(wrong)).toThrow()
  }
})

test('reads public keys of secp256k1, and of no other curve', () => {
  const secret = createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))
  const { d = '' } = secret.export({ format: 'jwk' })
  const key = `0x${Buffer.from(d, 'base64url').toString('hex').padStart(64, '0')}` as const
  const der = publicKey.export({ format: 'der', type: 'spki' })
  expect(publicKeyOfDer(der)).toEqual(hexToBytes(privateKeyToAccount(key).publicKey))
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  expect(() => publicKeyOfDer(other.export({ format: 'der', type: 'spki' }))).toThrow('secp256k1')
})
