import { hash, timingSafeEqual } from 'node:crypto'
import { type Bound, type Header, preamble, sizes, writeBound, writeHeader } from './envelope.ts'
import { type Hidden, readHidden, writeHidden } from './hidden.ts'
import { derivedKeys, hmacSha256 } from './hkdf.ts'
import type { SealingKey, SealingKeys } from './sealing-keys.ts'
import type { Secretbox } from './secretbox.ts'
import { unreadable } from './unreadable.ts'

/** The random parts of one header. */
export type Drawn = {
  readonly dataKey: Uint8Array
  readonly wrapSalt: Uint8Array
  readonly wrapNonce: Uint8Array
  readonly hiddenNonce: Uint8Array
}

/** The keys of one envelope, one for each use. */
export type EnvelopeKeys = { readonly [use in 'header' | 'private' | 'payload']: Uint8Array }

/** Derives the keys of an envelope from its data key. */
export const envelopeKeys = (dataKey: Uint8Array): EnvelopeKeys =>
  derivedKeys(dataKey, ['header', 'private', 'payload'])

/** Returns a sealed header: bound, tagged, and its data key wrapped. */
export function sealHeader(
  { bound, hidden, drawn, keys }: sealHeader.Input,
  { sealingKey, secretbox }: { readonly sealingKey: SealingKey; readonly secretbox: Secretbox },
): Uint8Array {
  const boundSections = writeBound(bound)
  const wrapKey = wrapKeyOf(sealingKey, drawn.wrapSalt)
  const secrets = Buffer.concat([drawn.dataKey, sha256(boundSections)])
  const inside = writeHidden(hidden)
  const boxed = (message: Uint8Array, nonce: Uint8Array, key: Uint8Array) => {
    const box = new Uint8Array(message.length + sizes.overhead)
    secretbox.seal({ message, box, nonce, key })
    return { nonce, box }
  }
  const written = writeHeader(bound, {
    sealingKeyId: sealingKey.id,
    hidden: boxed(inside, drawn.hiddenNonce, keys.private),
    wrapped: { salt: drawn.wrapSalt, ...boxed(secrets, drawn.wrapNonce, wrapKey) },
  })
  for (const secret of [wrapKey, secrets, inside]) secret.fill(0)
  const tagged = Buffer.concat([preamble(sizes.head), boundSections])
  return Buffer.concat([written, hmacSha256(keys.header, tagged)])
}

export declare namespace sealHeader {
  type Input = {
    readonly bound: Bound
    readonly hidden: Hidden
    readonly drawn: Drawn
    readonly keys: EnvelopeKeys
  }
}

/**
 * Authenticates a header and returns the keys of its envelope.
 *
 * @throws `bundle/unreadable`
 */
export function openHeader(
  header: Header,
  { keys, secretbox }: { readonly keys: SealingKeys; readonly secretbox: Secretbox },
): EnvelopeKeys {
  const sealingKey = keys.find(header.sealingKeyId)
  if (sealingKey === undefined) {
    const id = Buffer.from(header.sealingKeyId).toString('hex')
    throw unreadable(`it was sealed under the key ${id}, which is not here`)
  }
  const { salt, nonce, box } = header.wrapped
  const wrapKey = wrapKeyOf(sealingKey, salt)
  const secrets = Buffer.alloc(box.length - sizes.overhead)
  try {
    const opened = secretbox.open({ message: secrets, box, nonce, key: wrapKey })
    const [dataKey, digest] = [secrets.subarray(0, sizes.key), secrets.subarray(sizes.key)]
    const derived = envelopeKeys(dataKey)
    const bound = timingSafeEqual(digest, sha256(header.boundSections))
    const tagged = timingSafeEqual(header.tag, hmacSha256(derived.header, header.tagged))
    // One sentence for all three: which of them fails is nothing that a forger should learn.
    if (opened && bound && tagged) return derived
    wipe(derived)
    throw altered()
  } finally {
    for (const secret of [wrapKey, secrets]) secret.fill(0)
  }
}

/**
 * Opens the private section of a header that is authenticated.
 *
 * @throws `bundle/unreadable`
 */
export function openHidden({ hidden }: Header, keys: EnvelopeKeys, secretbox: Secretbox): Hidden {
  const { nonce, box } = hidden
  const message = Buffer.alloc(box.length - sizes.overhead)
  if (!secretbox.open({ message, box, nonce, key: keys.private })) throw altered()
  return readHidden(message)
}

/** Wipes the keys of an envelope, and other secrets. */
export function wipe(keys: EnvelopeKeys, ...secrets: readonly Uint8Array[]): void {
  for (const secret of [...Object.values(keys), ...secrets]) secret.fill(0)
}

function wrapKeyOf({ key }: SealingKey, salt: Uint8Array): Uint8Array {
  return derivedKeys(key, ['wrap'], salt).wrap
}

const altered = () => unreadable('it was altered')

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')
