import { hash, timingSafeEqual } from 'node:crypto'
import type { SealedSaver } from '@heirloom/core'
import { type Bound, type Header, preamble, sizes, writeBound, writeHeader } from './envelope.ts'
import { deriveKeys, hmacSha256 } from './hashes.ts'
import type { SealingKey, SealingKeys } from './sealing-keys.ts'
import type { Secretbox } from './secretbox.ts'
import {
  paddedText,
  readSaver,
  readSections,
  readText,
  sectionValue,
  unreadable,
  writeSaver,
  writeSections,
} from './sections.ts'

/** The types of the inner sections of the private section. */
const privateTypes = { lineName: 0x0003, savedBy: 0x0004, salt: 0x8001, documentLength: 0x8002 }

/** The content of the private section. */
type Hidden = {
  /** The salt of the content hash. */
  readonly salt: Uint8Array
  /** The length of the document, in bytes. */
  readonly documentLength: number
  /** The name of the line, and of its owner; `undefined` without a line. */
  readonly lineName: string | undefined
  /** The one who saved it; `undefined` where nobody is named. */
  readonly savedBy: SealedSaver | undefined
}

/** Encodes the content of the private section. */
function writeHidden({ salt, documentLength, lineName, savedBy }: Hidden): Uint8Array {
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(documentLength))
  const name = lineName === undefined ? [] : [paddedText(lineName)]
  const saver = savedBy === undefined ? [] : [writeSaver(savedBy)]
  return writeSections([
    ...name.map((value) => ({ type: privateTypes.lineName, value })),
    ...saver.map((value) => ({ type: privateTypes.savedBy, value })),
    { type: privateTypes.salt, value: salt },
    { type: privateTypes.documentLength, value: length },
  ])
}

/**
 * Decodes the content of the private section; its parts are views of the bytes.
 *
 * @throws `bundle/unreadable`
 */
function readHidden(inside: Uint8Array): Hidden {
  const sections = readSections(inside, Object.values(privateTypes))
  return {
    salt: sectionValue(sections, privateTypes.salt, sizes.salt),
    documentLength: Number(
      sectionValue(sections, privateTypes.documentLength, 8).readBigUInt64BE(0),
    ),
    lineName: readText(sections.get(privateTypes.lineName)?.value),
    savedBy: readSaver(sections.get(privateTypes.savedBy)?.value),
  }
}

/** The random parts of one header. */
export type RandomParts = {
  readonly dataKey: Uint8Array
  readonly wrapSalt: Uint8Array
  readonly wrapNonce: Uint8Array
  readonly hiddenNonce: Uint8Array
}

/** The key of a line, and the random parts of its wrapping. */
export type LineParts = {
  readonly lineKey: Uint8Array
  readonly lineSalt: Uint8Array
  readonly lineNonce: Uint8Array
}

/** The keys of one envelope, one for each use. */
export type EnvelopeKeys = { readonly [use in 'header' | 'private' | 'payload']: Uint8Array }

/** Derives the keys of an envelope from its data key. */
export const envelopeKeys = (dataKey: Uint8Array): EnvelopeKeys =>
  deriveKeys(dataKey, ['header', 'private', 'payload'])

/** Returns a header with its private section sealed, its data key wrapped and its tag. */
export function sealHeader(
  { bound, hidden, randomParts, keys, line }: sealHeader.Input,
  { sealingKey, secretbox }: { readonly sealingKey: SealingKey; readonly secretbox: Secretbox },
): Uint8Array {
  const boundSections = writeBound(bound)
  const plain = writeHidden(hidden)
  const sealBox = (message: Uint8Array, nonce: Uint8Array, key: Uint8Array) => {
    const box = new Uint8Array(message.length + sizes.overhead)
    secretbox.seal({ message, box, nonce, key })
    return { nonce, box }
  }
  const wrap = (use: WrapUse, key: Uint8Array, salt: Uint8Array, nonce: Uint8Array) => {
    const wrapKey = wrapKeyOf(sealingKey, salt, use)
    const secrets = Buffer.concat([key, sha256(boundSections)])
    const wrapped = { salt, ...sealBox(secrets, nonce, wrapKey) }
    for (const secret of [wrapKey, secrets]) secret.fill(0)
    return wrapped
  }
  const { dataKey, wrapSalt, wrapNonce, hiddenNonce } = randomParts
  const { id: sealingKeyId } = sealingKey
  const written = writeHeader(bound, {
    sealingKeyId,
    hidden: sealBox(plain, hiddenNonce, keys.private),
    wrapped: wrap('wrap', dataKey, wrapSalt, wrapNonce),
    line: line && { sealingKeyId, ...wrap('line', line.lineKey, line.lineSalt, line.lineNonce) },
  })
  plain.fill(0)
  const tagged = Buffer.concat([preamble(written.length + sizes.tag), boundSections])
  return Buffer.concat([written, hmacSha256(keys.header, tagged)])
}

type WrapUse = 'wrap' | 'line'

export declare namespace sealHeader {
  type Input = {
    readonly bound: Bound
    readonly hidden: Hidden
    readonly randomParts: RandomParts
    readonly keys: EnvelopeKeys
    /** The key of the line that goes on; `undefined` where there is none. */
    readonly line: LineParts | undefined
  }
}

/**
 * Authenticates a header and returns the keys of its envelope.
 *
 * @throws `bundle/unreadable`
 */
export function openHeader(
  header: Header,
  { keys, secretbox }: { readonly keys: Pick<SealingKeys, 'find'>; readonly secretbox: Secretbox },
): EnvelopeKeys {
  const sealingKey = keys.find(header.sealingKeyId)
  if (sealingKey === undefined) {
    const id = Buffer.from(header.sealingKeyId).toString('hex')
    throw unreadable(`it was sealed under the key ${id}, which is not here`)
  }
  const { salt, nonce, box } = header.wrapped
  const wrapKey = wrapKeyOf(sealingKey, salt, 'wrap')
  const secrets = Buffer.alloc(box.length - sizes.overhead)
  try {
    const opened = secretbox.open({ message: secrets, box, nonce, key: wrapKey })
    const [dataKey, digest] = [secrets.subarray(0, sizes.key), secrets.subarray(sizes.key)]
    const derived = envelopeKeys(dataKey)
    const bound = timingSafeEqual(digest, sha256(header.boundSections))
    const tagged = timingSafeEqual(header.tag, hmacSha256(derived.header, header.tagged))
    // One message for all three, so that a forger does not learn which check failed.
    if (opened && bound && tagged) return derived
    wipe(derived)
    throw alteredFailure()
  } finally {
    for (const secret of [wrapKey, secrets]) secret.fill(0)
  }
}

/**
 * Opens the private section of an authenticated header.
 *
 * @throws `bundle/unreadable`
 */
export function openHidden({ hidden }: Header, keys: EnvelopeKeys, secretbox: Secretbox): Hidden {
  const { nonce, box } = hidden
  const message = Buffer.alloc(box.length - sizes.overhead)
  if (!secretbox.open({ message, box, nonce, key: keys.private })) throw alteredFailure()
  return readHidden(message)
}

/** Overwrites the keys of an envelope, and other secrets, with zeros. */
export function wipe(keys: EnvelopeKeys, ...secrets: readonly Uint8Array[]): void {
  for (const secret of [...Object.values(keys), ...secrets]) secret.fill(0)
}

/**
 * Opens the key of the line in an authenticated header; `undefined` when it is not wrapped under this
 * sealing key for this header.
 */
export function openLineKey(
  { line, boundSections }: Header,
  { sealingKey, secretbox }: { readonly sealingKey: SealingKey; readonly secretbox: Secretbox },
): Uint8Array | undefined {
  if (line === undefined || Buffer.compare(line.sealingKeyId, sealingKey.id) !== 0) return undefined
  const { salt, nonce, box } = line
  const key = wrapKeyOf(sealingKey, salt, 'line')
  const secrets = Buffer.alloc(box.length - sizes.overhead)
  const opened = secretbox.open({ message: secrets, box, nonce, key })
  key.fill(0)
  const isBound = timingSafeEqual(secrets.subarray(sizes.key), sha256(boundSections))
  return opened && isBound ? secrets.subarray(0, sizes.key) : undefined
}

function wrapKeyOf({ key }: SealingKey, salt: Uint8Array, use: WrapUse): Uint8Array {
  return deriveKeys(key, [use], salt)[use]
}

const alteredFailure = () => unreadable('it was altered')

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')
