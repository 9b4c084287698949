import { malformed, readSections, sectionValue, writeSections } from './sections.ts'
import { unreadable } from './unreadable.ts'

/**
 * The header of a sealed bundle, version 3; integers are big-endian.
 *
 *     offset  bytes  what
 *          0      4  magic, "HRLM"
 *          4      1  version, 3
 *          5      4  length of the header, from the magic to the tag at its end; at most 65,536
 *          9    ...  sections, by ascending type:
 *                    8001 policy    1  holder of the key; 1 is the server
 *                    8002 context  48  context the bundle is sealed for:
 *                                       0   8  chain id
 *                                       8  20  address of the registry
 *                                      28  20  creator: the account that mints it
 *                    8003 payload  32  encoding of the payload:
 *                                       0   1  0 uncompressed, 1 a zstd frame
 *                                       1  19  prefix of the chunks' nonces
 *                                      20   4  length of a chunk before it is sealed, 1,048,576
 *                                      24   8  length of all sealed chunks
 *                    8004 content  32  content hash: sha256 of the salt and the document
 *                    ff01 private  92  readable only with the data key:
 *                                       0  24  nonce
 *                                      24  68  secretbox, under the private key, of the sections
 *                                              8001 salt of the content hash, 32 bytes
 *                                              8002 length of the document, 8 bytes
 *                    ff02 key     136  wrapped data key:
 *                                       0  16  id of the sealing key
 *                                      16  16  tag, random
 *                                      32  24  nonce
 *                                      56  80  secretbox, under the wrap key, of
 *                                               0  32  data key
 *                                              32  32  sha256 of the bound sections
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
 * info "heirloom/3/wrap". The header key, the private key and the payload key are HKDF-SHA256 of
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
  /** The wrapped data key, and the salt of its wrap key. */
  readonly wrapped: Boxed & { readonly salt: Uint8Array }
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
}

/** A secretbox and its nonce. */
export type Boxed = { readonly nonce: Uint8Array; readonly box: Uint8Array }

/** The lengths of the parts, in bytes. */
export const sizes = {
  chunk: 1_048_576,
  chunkPrefix: 19,
  contentHash: 32,
  context: 48,
  /** The header that this version writes. */
  head: 418,
  key: 32,
  keyId: 16,
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
} as const

/** The types of the sections. */
const types = {
  policy: 0x8001,
  context: 0x8002,
  payload: 0x8003,
  content: 0x8004,
  hidden: 0xff01,
  key: 0xff02,
}
const known = Object.values(types)
const firstUnbound = 0xff00

const magic = Buffer.from('HRLM', 'latin1')
const version = 3
const heldByServer = Buffer.of(1)
const codecs = { plain: 0, zstd: 1 } as const

/** Encodes a header without the tag at its end. */
export function writeHeader(
  bound: Bound,
  { hidden, wrapped, sealingKeyId }: Pick<Header, 'hidden' | 'wrapped' | 'sealingKeyId'>,
): Uint8Array {
  const { salt, nonce, box } = wrapped
  return Buffer.concat([
    preamble(sizes.head),
    writeBound(bound),
    writeSections([
      { type: types.hidden, value: Buffer.concat([hidden.nonce, hidden.box]) },
      { type: types.key, value: Buffer.concat([sealingKeyId, salt, nonce, box]) },
    ]),
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
}: Bound): Uint8Array {
  const payload = Buffer.alloc(sizes.payload)
  payload[0] = compressed ? codecs.zstd : codecs.plain
  payload.set(chunkPrefix, 1)
  payload.writeUInt32BE(sizes.chunk, 20)
  payload.writeBigUInt64BE(BigInt(sealedLength), 24)
  return writeSections([
    { type: types.policy, value: heldByServer },
    { type: types.context, value: context },
    { type: types.payload, value: payload },
    { type: types.content, value: contentHash },
  ])
}

/**
 * Decodes the header of an envelope, or of its first bytes. It needs no key, so nothing of it is
 * authenticated; its parts are views of the bytes.
 *
 * @throws `bundle/unreadable`
 */
export function readHeader(sealed: Uint8Array): Header {
  const { header, sections } = partsOf(sealed)
  if (sectionValue(sections, types.policy, 1)[0] !== heldByServer[0]) {
    throw unreadable('its key is not held by a server, as this version needs it')
  }
  const key = sectionValue(sections, types.key, 136)
  const hidden = sections.get(types.hidden)?.value
  if (hidden === undefined || hidden.length < sizes.nonce + sizes.overhead) throw malformed()
  const end = header.length - sizes.tag
  const unbound = [...sections.values()].find(({ type }) => type >= firstUnbound)
  const boundEnd = sizes.preamble + (unbound?.start ?? 0)
  return {
    context: sectionValue(sections, types.context, sizes.context),
    contentHash: sectionValue(sections, types.content, sizes.contentHash),
    ...readPayload(sectionValue(sections, types.payload, sizes.payload)),
    length: header.length,
    sealingKeyId: key.subarray(0, 16),
    tagged: header.subarray(0, boundEnd),
    boundSections: header.subarray(sizes.preamble, boundEnd),
    tag: header.subarray(end),
    hidden: { nonce: hidden.subarray(0, sizes.nonce), box: hidden.subarray(sizes.nonce) },
    wrapped: { salt: key.subarray(16, 32), nonce: key.subarray(32, 56), box: key.subarray(56) },
  }
}

function partsOf(sealed: Uint8Array) {
  if (!magic.equals(sealed.subarray(0, magic.length))) throw unreadable('it is not a sealed bundle')
  refuseOtherVersion(sealed[magic.length])
  if (sealed.length < sizes.preamble) throw unreadable('it is cut short')
  const length = Buffer.from(sealed.buffer, sealed.byteOffset).readUInt32BE(magic.length + 1)
  if (length > sizes.longestHead || length < sizes.preamble + sizes.tag) throw malformed()
  if (length > sealed.length) throw unreadable('it is cut short')
  const header = sealed.subarray(0, length)
  return { header, sections: readSections(header.subarray(sizes.preamble, -sizes.tag), known) }
}

function refuseOtherVersion(found: number | undefined): void {
  if (found === version) return
  throw unreadable(
    found === 2
      ? 'its envelope has version 2, which is no longer supported; snapshot the memory anew'
      : `its envelope has version ${found}, and this server reads version ${version}`,
  )
}

function readPayload(value: Buffer): Omit<Bound, 'context' | 'contentHash'> {
  const [codec] = value
  const length = value.readBigUInt64BE(24)
  if (codec === undefined || codec > codecs.zstd || value.readUInt32BE(20) !== sizes.chunk) {
    throw unreadable('its payload is written in a way that this version does not know')
  }
  if (length > Number.MAX_SAFE_INTEGER) throw malformed()
  return {
    compressed: codec === codecs.zstd,
    chunkPrefix: value.subarray(1, 20),
    sealedLength: Number(length),
  }
}
