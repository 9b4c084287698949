import assert from 'node:assert/strict'
import type { KeyService } from '@heirloom/core'
import fc from 'fast-check'
import { bytesToHex, type Hex, recoverPublicKey, toHex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import type { Law } from './law.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const prime = 2n ** 256n - 2n ** 32n - 977n

const arbitraryDigest = fc.uint8Array({ minLength: 32, maxLength: 32 })

/** Digests whose first byte is not 0. */
const arbitraryLongDigest = arbitraryDigest.filter(([first]) => first !== 0)

/** The digests 1, and all bits set, which is more than the order of the curve. */
const extremes = [Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 1 : 0)), allSet()]

function allSet(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(32).fill(255)
}

/** The laws of every `KeyService`. */
export const keyServiceLaws: readonly Law<KeyService>[] = [
  {
    name: 'returns one public key, a point of the curve',
    holds: async (service) => {
      const key = await service.publicKey()
      assert.equal(key.length, 65)
      assert.equal(key[0], 4)
      const [x, y] = [numberOf(key.subarray(1, 33)), numberOf(key.subarray(33))]
      assert.ok(x < prime && y < prime, 'The coordinates are too large.')
      assert.equal((y * y - (x * x * x + 7n)) % prime, 0n, 'The point is not on the curve.')
      const again = [await service.publicKey(), await service.publicKey()]
      assert.deepEqual(
        again.map((it) => bytesToHex(it)),
        [bytesToHex(key), bytesToHex(key)],
      )
    },
  },
  {
    name: 'signs every digest with that key',
    holds: async (service) => {
      const key = bytesToHex(await service.publicKey())
      await fc.assert(
        fc.asyncProperty(arbitraryDigest, async (digest) => {
          await requireSignature(key, digest, await service.sign(digest))
        }),
        { examples: extremes.map((it) => [it]) },
      )
    },
  },
  {
    name: 'signs digests that come at the same time, each for itself',
    holds: async (service) => {
      const key = bytesToHex(await service.publicKey())
      const many = fc.uniqueArray(arbitraryLongDigest, {
        minLength: 2,
        maxLength: 4,
        selector: bytesToHex,
      })
      await fc.assert(
        fc.asyncProperty(many, async (digests) => {
          const signatures = await Promise.all(digests.map((digest) => service.sign(digest)))
          for (const [at, digest] of digests.entries()) {
            await requireSignature(key, digest, signatures[at] ?? new Uint8Array())
          }
        }),
      )
    },
  },
]

const numberOf = (bytes: Uint8Array): bigint => BigInt(bytesToHex(bytes))

/** Requires that 64 bytes of r and s are the signature of a key, with s in either half. */
async function requireSignature(key: Hex, digest: Uint8Array, bytes: Uint8Array): Promise<void> {
  assert.equal(bytes.length, 64)
  const [r, s] = [numberOf(bytes.subarray(0, 32)), numberOf(bytes.subarray(32))]
  assert.ok(r > 0n && r < order && s > 0n && s < order, 'A part is out of range.')
  const low = s > order / 2n ? order - s : s
  const candidates = [0, 1].map((yParity) =>
    recoverPublicKey({
      hash: bytesToHex(digest),
      signature: { r: toHex(r, { size: 32 }), s: toHex(low, { size: 32 }), yParity },
    }).catch(() => undefined),
  )
  const addresses = (await Promise.all(candidates)).map((it) => it && publicKeyToAddress(it))
  assert.ok(addresses.includes(publicKeyToAddress(key)), 'The signature is of another key.')
}
