import { account, type SealContext } from '@heirloom/core'
import { checksumAddress } from 'viem'
import { malformed, writeSections } from './sections.ts'

/**
 * The header of a sealed bundle, version 3; integers are big-endian.
 *
 *     offset  bytes  what
 *          0      4  magic, "HRLM"
 *          4      1  version, 3
 *          5      4  length of the header, from the magic to the tag at its end; at most 65,536
 *          9    ...  sections, by ascending type:
 *                    0001 items    32  Merkle root over the items of the document; absent when it
 *                                      has none: docs/excerpts.md
 *                    0002 excerpts     items that the maker shows, with their proofs; absent for none
 *                    8001 policy    1  holder of the key; 1 is the server
 *                    8002 context  48  context the bundle is sealed for:
 *                                       0   8  chain id
 *                                       8  20  address of the registry
 *                                      28  20  creator: the account that mints it
 *                    8003 payload  32  encoding of the payload:
 *                                       0   1  0 uncompressed, 1 a zstd frame, 2 a list of parts
 *                                       1  19  prefix of the chunks' nonces
 *                                      20   4  length of a chunk before it is sealed, 1,048,576
 *                                      24   8  length of all sealed chunks
 *                    8004 content  32  content hash: sha256 of the salt and the document
 *                    8005 packs   ...  with a list of parts alone: the digests of the blobs that hold
 *                                       the parts, 32 bytes each, at most 32 of them
 *                    ff01 private  92  readable only with the data key, longer with a name or a saver:
 *                                       0  24  nonce
 *                                      24  68  secretbox, under the private key, of the sections
 *                                              0003 name of the line: its length in 2 bytes, the
 *                                                   UTF-8 text, zeros up to a multiple of 64; absent
 *                                                   without a line
 *                                              0004 who saved: 1 byte for the kind (1 an account, 2 an API key,
 *                                                   3 a tenant, 4 the operator), 1 byte that is 1 where the version
 *                                                   before it was the saver's own or accepted, and 0 elsewhere; then
 *                                                   the name in the form of 0003: an address in lower case, the name
 *                                                   of a key or a tenant, or nothing; absent where nobody is named
 *                                              8001 salt of the content hash, 32 bytes
 *                                              8002 length of the document, 8 bytes
 *                    ff02 key     136  wrapped data key:
 *                                       0  16  id of the sealing key
 *                                      16  16  tag, random
 *                                      32  24  nonce
 *                                      56  80  secretbox, under the wrap key, of
 *                                               0  32  data key
 *                                              32  32  sha256 of the bound sections
 *                    ff03 line    136  with a list of parts and a name alone: the line key, in the
 *                                       form of section ff02, under the line wrap key
 *        ...     32  tag: HMAC-SHA256, under the header key, of the 9 bytes before the sections and
 *                    the bound sections
 *        ...    ...  chunks
 *
 * Each section is its type (2 bytes), the length of its value (4 bytes) and the value. The header
 * and the lists hold nothing else: types ascend strictly, and no byte follows the last section. A
 * type with its top bit set is critical: a reader that does not know it must refuse the bundle. Any
 * other unknown section is authenticated and skipped.
 *
 * Sections of a type below ff00 are bound: they never change, and the tag and the key section
 * authenticate them. A holder of the data key may replace those from ff00 on, such as the key section
 * for another sealing key; each of these authenticates itself.
 *
 * The wrap key is HKDF-SHA256 of the sealing key with the tag of the key section as salt and the
 * info "heirloom/3/wrap", the line wrap key the same with "heirloom/3/line". The header key, the private key and the payload key are HKDF-SHA256 of
 * the data key, without salt, with the infos "heirloom/3/header", "heirloom/3/private" and
 * "heirloom/3/payload". A secretbox does not commit to its key and takes no further data, so the
 * tag of the header, which does both, is checked before any other box is opened: parts of several
 * envelopes never make another one.
 *
 * The payload is the document, or its zstd frame. It is cut into chunks of 1 MiB, the last one
 * shorter when need be; an empty payload is one empty chunk. Each chunk is the secretbox, under the
 * payload key, with the nonce prefix ‖ index of the chunk (4 bytes) ‖ 1 in the last chunk and 0
 * before (the STREAM construction), so chunks cannot be reordered, dropped, added or taken from
 * elsewhere.
 *
 * A list of parts is the root of a tree (parts/list-root.ts) whose leaves name the places and the keys
 * of the document's chunks in the packs. docs/versions.md describes it.
 *
 * The salt is private: with a public salt, anyone with the envelope and the public content hash could
 * guess a small document.
 */
export type Header = Bound & {
  /** The length of the whole header, in bytes. */
  readonly length: number
  /** Names the sealing key that wraps the data key. */
  readonly sealingKeyId: Uint8Array
  /** The bytes that the tag authenticates: those before the sections, and the bound sections. */
  readonly tagged: Uint8Array
  /** The bound sections, whose digest is wrapped with the data key. */
  readonly boundSections: Uint8Array
  readonly tag: Uint8Array
  /** The sealed content of the private section. */
  readonly hidden: Boxed
  /** The wrapped data key. */
  readonly wrapped: Wrapped
  /** The wrapped key of the line, which only the next version of the line needs. */
  readonly line: (Wrapped & Pick<Header, 'sealingKeyId'>) | undefined
}

/** The content of the bound sections. */
export type Bound = {
  /** The 48 bytes of the context. */
  readonly context: Uint8Array
  /** The 32 bytes of the content hash. */
  readonly contentHash: Uint8Array
  readonly compressed: boolean
  readonly chunkPrefix: Uint8Array
  /** The length of all sealed chunks, in bytes. */
  readonly sealedLength: number
  /** The digests of the packs; `undefined` when the payload is the document itself. */
  readonly packs: readonly Uint8Array[] | undefined
  /** The 32 bytes of the root over the items of the document. */
  readonly items?: Uint8Array | undefined
  /** The excerpts that are shown, encoded. */
  readonly excerpts?: Uint8Array | undefined
}

/** A secretbox and its nonce. */
export type Boxed = { readonly nonce: Uint8Array; readonly box: Uint8Array }

/** A key and the digest of the bound sections in a secretbox, and the salt of its wrap key. */
export type Wrapped = Boxed & { readonly salt: Uint8Array }

/** The lengths of the parts, in bytes. */
export const sizes = {
  chunk: 1_048_576,
  chunkPrefix: 19,
  contentHash: 32,
  context: 48,
  digest: 32,
  /** The header of a document that is one blob, of no line, and without items. */
  head: 418,
  key: 32,
  items: 32,
  keyId: 16,
  /** The least header of a document in parts that goes on a line, without its digests. */
  longHead: 600,
  longestHead: 65_536,
  nonce: 24,
  overhead: 16,
  payload: 32,
  preamble: 9,
  privateBox: 68,
  salt: 32,
  tag: 32,
  wrapBox: 80,
  wrapSalt: 16,
  wrapped: 136,
} as const

/** The most packs of one envelope. */
export const mostPacks = 32

/** The types of the sections. */
export const sectionTypes = {
  items: 0x0001,
  excerpts: 0x0002,
  policy: 0x8001,
  context: 0x8002,
  payload: 0x8003,
  content: 0x8004,
  packs: 0x8005,
  hidden: 0xff01,
  key: 0xff02,
  line: 0xff03,
}

/** The first bytes of every envelope. */
export const magic = Buffer.from('HRLM', 'latin1')
/** The version of the envelopes that this one writes and reads. */
export const version = 3
/** The value of the policy. */
export const heldByServer = Buffer.of(1)
/** The encodings of a payload. */
export const codecs = { plain: 0, zstd: 1, parts: 2 } as const

/** Encodes a header without the tag at its end. */
export function writeHeader(
  bound: Bound,
  unbound: Pick<Header, 'hidden' | 'wrapped' | 'line' | 'sealingKeyId'>,
): Uint8Array {
  const sections = Buffer.concat([writeBound(bound), writeUnbound(unbound)])
  return Buffer.concat([preamble(sizes.preamble + sections.length + sizes.tag), sections])
}

function writeUnbound({
  hidden,
  wrapped,
  line,
  sealingKeyId,
}: Pick<Header, 'hidden' | 'wrapped' | 'line' | 'sealingKeyId'>): Buffer {
  const written = (id: Uint8Array, { salt, nonce, box }: Wrapped) =>
    Buffer.concat([id, salt, nonce, box])
  return writeSections([
    { type: sectionTypes.hidden, value: Buffer.concat([hidden.nonce, hidden.box]) },
    { type: sectionTypes.key, value: written(sealingKeyId, wrapped) },
    ...(line === undefined
      ? []
      : [{ type: sectionTypes.line, value: written(line.sealingKeyId, line) }]),
  ])
}

/** Encodes the bytes before the sections. */
export function preamble(length: number): Buffer {
  const written = Buffer.alloc(sizes.preamble)
  written.set(magic)
  written[magic.length] = version
  written.writeUInt32BE(length, magic.length + 1)
  return written
}

/** Encodes the bound sections. */
export function writeBound({
  context,
  contentHash,
  compressed,
  chunkPrefix,
  sealedLength,
  packs,
  items,
  excerpts,
}: Bound): Uint8Array {
  const payload = Buffer.alloc(sizes.payload)
  const codec = compressed ? codecs.zstd : codecs.plain
  payload[0] = packs === undefined ? codec : codecs.parts
  payload.set(chunkPrefix, 1)
  payload.writeUInt32BE(sizes.chunk, 20)
  payload.writeBigUInt64BE(BigInt(sealedLength), 24)
  return writeSections([
    ...(items === undefined ? [] : [{ type: sectionTypes.items, value: items }]),
    ...(excerpts === undefined ? [] : [{ type: sectionTypes.excerpts, value: excerpts }]),
    { type: sectionTypes.policy, value: heldByServer },
    { type: sectionTypes.context, value: context },
    { type: sectionTypes.payload, value: payload },
    { type: sectionTypes.content, value: contentHash },
    ...(packs === undefined ? [] : [{ type: sectionTypes.packs, value: Buffer.concat(packs) }]),
  ])
}

/** Encodes a context in 48 bytes. */
export function writeContext({ registry, creator }: SealContext): Uint8Array {
  const bytes = Buffer.alloc(sizes.context)
  bytes.writeBigUInt64BE(BigInt(registry.chainId), 0)
  bytes.write(registry.address.slice(2), 8, 'hex')
  bytes.write(creator.slice(2), 28, 'hex')
  return bytes
}

/**
 * Decodes a context.
 *
 * @throws `bundle/unreadable` when its chain id is above 2^53 - 1
 */
export function readContext(value: Uint8Array): SealContext {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  const chainId = bytes.readBigUInt64BE(0)
  if (chainId > Number.MAX_SAFE_INTEGER) throw malformed()
  const accountAt = (start: number) =>
    account(checksumAddress(`0x${bytes.toString('hex', start, start + 20)}`))
  return {
    registry: { chainId: Number(chainId), address: accountAt(8) },
    creator: accountAt(28),
  }
}
