import { hash, timingSafeEqual } from 'node:crypto'
import { Failure } from '@heirloom/core'
import { sizes } from './envelope.ts'

/** A key that wraps the data keys of envelopes. */
export type SealingKey = {
  /** 16 bytes; an envelope names its sealing key by this id. */
  readonly id: Uint8Array
  /** 32 bytes. */
  readonly key: Uint8Array
}

/** The sealing keys of a cipher; they may change while it runs. */
export type SealingKeys = {
  /** Returns the key that new bundles are sealed under. */
  readonly current: () => SealingKey
  /** Returns the key with an id; `undefined` when it is missing. */
  readonly find: (id: Uint8Array) => SealingKey | undefined
}

/**
 * Returns a key ring with copies of keys of 32 bytes; the caller may overwrite its own. The first key
 * seals, all keys open. The id of a key is derived from it and does not reveal it.
 *
 * @throws `value/invalid` when there is no key, or one is not 32 bytes
 */
export function sealingKeyRing(keys: readonly Uint8Array[]): SealingKeys {
  const entries = keys.map(entryOf)
  const [first] = entries
  if (first === undefined) {
    throw new Failure('value/invalid', { kind: 'key ring', problem: 'holds at least one key' })
  }
  return {
    current: () => first,
    find: (id) => entries.find((entry) => isSame(entry.id, id)),
  }
}

/** Returns the id of a key that envelopes contain, in hexadecimal. */
export const masterKeyId = (key: Uint8Array): string => Buffer.from(idOf(key)).toString('hex')

function entryOf(key: Uint8Array): SealingKey {
  if (key.length !== sizes.key) {
    throw new Failure('value/invalid', { kind: 'master key', problem: `is ${sizes.key} bytes` })
  }
  return { id: idOf(key), key: Uint8Array.from(key) }
}

const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && timingSafeEqual(one, other)

const idOf = (key: Uint8Array): Uint8Array =>
  hash('sha256', Buffer.concat([Buffer.from('heirloom/3/key-id\0'), key]), 'buffer').subarray(
    0,
    sizes.keyId,
  )
