import { timingSafeEqual } from 'node:crypto'
import { Failure } from '@heirloom/core'
import { keyIdOf, sizes } from './envelope.ts'

/** Master keys by the id that envelopes show. */
export type KeyRing = {
  /** The key that seals. */
  readonly first: { readonly id: Uint8Array; readonly key: Uint8Array }
  /** Returns the key an envelope names, if the ring holds it. */
  readonly find: (id: Uint8Array) => Uint8Array | undefined
}

/**
 * Makes a ring of copies of the keys; the caller may overwrite their own.
 *
 * @throws `value/invalid`
 */
export function keyRing(keys: readonly Uint8Array[]): KeyRing {
  const entries = keys.map(entryOf)
  const [first] = entries
  if (!first) {
    throw new Failure('value/invalid', { kind: 'key ring', problem: 'holds at least one key' })
  }
  return { first, find: (id) => entries.find((entry) => timingSafeEqual(entry.id, id))?.key }
}

function entryOf(key: Uint8Array): KeyRing['first'] {
  if (key.length !== sizes.key) {
    throw new Failure('value/invalid', { kind: 'master key', problem: `is ${sizes.key} bytes` })
  }
  return { id: keyIdOf(key), key: Uint8Array.from(key) }
}
