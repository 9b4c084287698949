import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { type Cipher, Failure, type Hash, hash, salt } from '@heirloom/core'

/** A source of bytes: every call returns `length` new ones. */
export type RandomBytes = (length: number) => Uint8Array

const algorithm = 'aes-256-gcm'
const key = createHash('sha256').update('the key of every memory cipher').digest()
const nonceLength = 12
const tagLength = 16
const saltLength = 32

/**
 * Returns a cipher whose randomness is predictable, so that a test can be repeated. Every such
 * cipher has the same key: what one sealed another opens.
 */
export function memoryCipher({ random = seededBytes(0) }: memoryCipher.Options = {}): Cipher {
  return {
    seal: async (document) => {
      const salted = Buffer.concat([random(saltLength), document])
      return { sealed: hide(salted, random(nonceLength)), contentHash: sha256(salted) }
    },
    open: async (sealed) => {
      const salted = reveal(sealed)
      return {
        document: Uint8Array.from(salted.subarray(saltLength)),
        salt: salt(`0x${salted.toString('hex', 0, saltLength)}`),
        contentHash: sha256(salted),
      }
    },
  }
}

export declare namespace memoryCipher {
  type Options = { readonly random?: RandomBytes }
}

/** Returns a source of bytes that gives the same ones again for the same seed. */
export function seededBytes(seed: number): RandomBytes {
  let calls = 0
  return (length) =>
    createHash('shake256', { outputLength: length }).update(`${seed}:${calls++}`).digest()
}

function hide(text: Uint8Array, nonce: Uint8Array): Uint8Array {
  const cipher = createCipheriv(algorithm, key, nonce)
  const hidden = [cipher.update(text), cipher.final()]
  return Uint8Array.from(Buffer.concat([nonce, cipher.getAuthTag(), ...hidden]))
}

function reveal(sealed: Uint8Array): Buffer {
  if (sealed.length < nonceLength + tagLength + saltLength) {
    throw new Failure('bundle/unreadable', { problem: 'it is too short' })
  }
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceLength))
  decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength))
  try {
    return Buffer.concat([
      decipher.update(sealed.subarray(nonceLength + tagLength)),
      decipher.final(),
    ])
  } catch (cause) {
    throw new Failure('bundle/unreadable', { problem: 'it was changed' }, { cause })
  }
}

function sha256(bytes: Uint8Array): Hash {
  return hash(`0x${createHash('sha256').update(bytes).digest('hex')}`)
}
