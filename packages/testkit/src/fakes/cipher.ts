import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import {
  account,
  type Cipher,
  Failure,
  type Hash,
  hash,
  refuseCopy,
  type Salt,
  type Seal,
  type SealContext,
  salt,
} from '@heirloom/core'
import { getAddress } from 'viem'

/** A source of bytes: every call returns `length` new ones. */
export type RandomBytes = (length: number) => Uint8Array

const algorithm = 'aes-256-gcm'
const key = createHash('sha256').update('the key of every memory cipher').digest()
const magic = Buffer.from('heir')
const lengths = { address: 20, head: magic.length + 112, nonce: 12, salt: 32, tag: 16 }

/**
 * Creates a cipher with predictable randomness, so that a test can be repeated. All these ciphers
 * have the same key, so each opens what another sealed, in the same context.
 */
export function memoryCipher({ random = seededBytes(0) }: memoryCipher.Options = {}): Cipher {
  return {
    seal: async (document, context, salt) => {
      const salted = Buffer.concat([saltBytes(salt, random), document])
      const contentHash = sha256(salted)
      const head = writeHead(context, contentHash)
      const sealed = Buffer.concat([head, encrypt(head, salted, random(lengths.nonce))])
      return { sealed: Uint8Array.from(sealed), headLength: head.length, contentHash }
    },
    open: async (sealed, context) => {
      const salted = decrypt(sealed)
      refuseCopy(readHead(sealed).context, context)
      return {
        document: Uint8Array.from(salted.subarray(lengths.salt)),
        salt: salt(`0x${salted.toString('hex', 0, lengths.salt)}`),
        contentHash: sha256(salted),
      }
    },
    inspect: readHead,
  }
}

const saltBytes = (salt: Salt | undefined, random: RandomBytes): Uint8Array =>
  salt === undefined ? random(lengths.salt) : Buffer.from(salt.slice(2), 'hex')

export declare namespace memoryCipher {
  type Options = { readonly random?: RandomBytes }
}

/** Returns a source of bytes that repeats itself for the same seed. */
export function seededBytes(seed: number): RandomBytes {
  let calls = 0
  return (length) =>
    createHash('shake256', { outputLength: length }).update(`${seed}:${calls++}`).digest()
}

function writeHead({ registry, creator }: SealContext, contentHash: Hash): Buffer {
  const head = Buffer.alloc(lengths.head)
  head.set(magic)
  head.writeBigUInt64BE(BigInt(registry.chainId), 4)
  head.write(registry.address.slice(2), 12, 'hex')
  head.write(creator.slice(2), 32, 'hex')
  head.write(contentHash.slice(2), 52, 'hex')
  head.set(tagOf(head), 84)
  return head
}

const tagOf = (head: Buffer): Buffer =>
  createHmac('sha256', key).update(head.subarray(0, 84)).digest()

function readHead(sealed: Uint8Array): Seal {
  const head = Buffer.from(sealed.subarray(0, lengths.head))
  if (head.length < lengths.head || !magic.equals(head.subarray(0, magic.length))) {
    throw new Failure('bundle/unreadable', { problem: 'it is not a sealed bundle' })
  }
  const accountAt = (start: number) =>
    account(getAddress(`0x${head.toString('hex', start, start + lengths.address)}`))
  const chainId = Number(head.readBigUInt64BE(4))
  return {
    context: { registry: { chainId, address: accountAt(12) }, creator: accountAt(32) },
    contentHash: hash(`0x${head.toString('hex', 52, 84)}`),
    isAuthentic: tagOf(head).equals(head.subarray(84)),
  }
}

function encrypt(head: Uint8Array, text: Uint8Array, nonce: Uint8Array): Uint8Array {
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(head)
  const hidden = [cipher.update(text), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...hidden])
}

function decrypt(sealed: Uint8Array): Buffer {
  const { head, nonce, tag } = lengths
  if (sealed.length < head + nonce + tag + lengths.salt) {
    throw new Failure('bundle/unreadable', { problem: 'it is too short' })
  }
  const body = sealed.subarray(head)
  const decipher = createDecipheriv(algorithm, key, body.subarray(0, nonce))
  decipher.setAAD(sealed.subarray(0, head))
  decipher.setAuthTag(body.subarray(nonce, nonce + tag))
  try {
    return Buffer.concat([decipher.update(body.subarray(nonce + tag)), decipher.final()])
  } catch (cause) {
    throw new Failure('bundle/unreadable', { problem: 'it was changed' }, { cause })
  }
}

function sha256(bytes: Uint8Array): Hash {
  return hash(`0x${createHash('sha256').update(bytes).digest('hex')}`)
}
