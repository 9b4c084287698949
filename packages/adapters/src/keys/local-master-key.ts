import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Failure } from '@heirloom/core'

/** Lengths in bytes. */
const sizes = { key: 32, salt: 32, tag: 16, id: 8 } as const

const algorithm = 'aes-256-gcm'

// Each wrap uses a new key (from a random salt), so a constant nonce is never reused with a key.
const nonce = new Uint8Array(12)

/**
 * Returns a master key of 32 bytes that this process has in memory, from the environment or a file.
 * The bytes are copied, so the caller may overwrite them.
 *
 * A wrapped record is a random salt of 32 bytes, then the record under AES-256-GCM with the key
 * HKDF(master key, salt), then the tag of 16 bytes.
 *
 * @throws `value/invalid`
 */
export function localMasterKey(key: Uint8Array): MasterKey {
  if (key.length !== sizes.key) {
    throw new Failure('value/invalid', { kind: 'master key', problem: `is ${sizes.key} bytes` })
  }
  const own = Uint8Array.from(key)
  const id = derive(own, { salt: new Uint8Array(), purpose: 'master-key-id/1', length: sizes.id })
  return {
    id: id.toString('hex'),
    wrap: async (record) => wrap(own, record),
    unwrap: async (wrapped) => unwrap(own, wrapped),
  }
}

function wrap(key: Uint8Array, record: Uint8Array): Uint8Array {
  const salt = randomBytes(sizes.salt)
  const cipher = createCipheriv(algorithm, wrapKey(key, salt), nonce)
  return Buffer.concat([salt, cipher.update(record), cipher.final(), cipher.getAuthTag()])
}

function unwrap(key: Uint8Array, wrapped: Uint8Array): Uint8Array | undefined {
  if (wrapped.length < sizes.salt + sizes.tag) return undefined
  const decipher = createDecipheriv(algorithm, wrapKey(key, wrapped.subarray(0, sizes.salt)), nonce)
  decipher.setAuthTag(wrapped.subarray(-sizes.tag))
  const record = decipher.update(wrapped.subarray(sizes.salt, -sizes.tag))
  try {
    decipher.final()
    return record
  } catch {
    record.fill(0)
    return undefined
  }
}

const wrapKey = (key: Uint8Array, salt: Uint8Array): Buffer =>
  derive(key, { salt, purpose: 'master-wrap/1', length: sizes.key })

function derive(
  key: Uint8Array,
  {
    salt,
    purpose,
    length,
  }: { readonly salt: Uint8Array; readonly purpose: string; readonly length: number },
): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, `heirloom/${purpose}`, length))
}

/**
 * A key that wraps the records of sealing keys. It may be unreadable, as in a key management service:
 * only its two operations and its id are used.
 *
 * Laws
 * - unwraps what it wrapped
 * - wraps the same bytes differently each time
 * - unwraps nothing that another key wrapped
 * - unwraps nothing that was changed
 */
export type MasterKey = {
  /** The name of the key for operators; it discloses nothing of the key. */
  readonly id: string
  readonly wrap: (record: Uint8Array) => Promise<Uint8Array>
  /** Returns the wrapped record; `undefined` when another key wrapped it, or it was changed. */
  readonly unwrap: (wrapped: Uint8Array) => Promise<Uint8Array | undefined>
}

/** The configured master keys: the first one wraps, all of them unwrap. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]]
