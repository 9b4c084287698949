import { decodeUtf8, encodeUtf8 } from '../json/utf8.ts'
import type { Hash, Hex, Salt } from '../values/branded.ts'
import { hash } from '../values/hex.ts'
import { deriveKey, hmacSha256, joinBytes, type Sha256 } from './hmac.ts'
import type { UnchangedRun } from './item-skips.ts'
import { type Item, itemsOf } from './items.ts'

/** A value of a memory, and its place. */
export type Excerpt = {
  /** The JSON pointer (RFC 6901) of the value, such as `/data/notes/0`. */
  readonly pointer: string
  /** The exact JSON text of the value. */
  readonly value: string
}

/** An excerpt that a Merkle root commits to, and the proof of it. */
export type CommittedExcerpt = Excerpt & {
  /** The salt of its leaf, 32 bytes; it reveals nothing of other leaves. */
  readonly salt: Hex
  /** The place of its leaf among all leaves, which are sorted by their hashes. */
  readonly index: number
  /** The hashes beside the way from its leaf to the root, the leaf's neighbour first. */
  readonly path: readonly Hex[]
}

/** The Merkle root over the items of a document. */
export type ItemsRoot = {
  /** The root, 32 bytes. */
  readonly root: Hash
  /** Returns an item with its proof; `undefined` when no item has the pointer. */
  readonly prove: (pointer: string) => CommittedExcerpt | undefined
}

/** The longest path of a proof: of 8192 items. */
export const maxProofPath = 13

/**
 * Computes the Merkle root over the items of a document; `undefined` when it has none, as `itemsOf`
 * says. The same document and salt have the same root.
 *
 *     items key = HKDF-SHA256(salt of the content hash, no salt, info "items/1")
 *     leaf salt = HMAC-SHA256(items key, pointer)
 *     leaf      = sha256(00 ‖ leaf salt ‖ length of pointer, 4 bytes ‖ pointer ‖
 *                        length of value, 8 bytes ‖ value)
 *     dummy i   = sha256(02 ‖ HMAC-SHA256(items key, "dummy/" ‖ i in decimal)), i from 0
 *     node      = sha256(01 ‖ left ‖ right)
 *
 * Dummies fill the leaves up to a power of two, one at least. Leaves and dummies are sorted by their
 * bytes, so a place says nothing about the order in the document. Integers are big-endian, pointers
 * UTF-8, values their exact bytes.
 */
export function itemsRoot(
  document: Uint8Array,
  { salt, sha256, unchanged }: itemsRoot.Input,
): ItemsRoot | undefined {
  const items = itemsOf(document, unchanged)
  if (items === undefined) return undefined
  const hmac = hmacSha256(sha256, deriveKey(sha256, bytesOf(salt), encodeUtf8('items/1')))
  const hashLeaf = leafHash(sha256)
  const leaves = leavesOf(items, (item) => {
    const pointer = encodeUtf8(item.pointer)
    return hashLeaf(hmac(pointer), pointer, document.subarray(item.start, item.end))
  })
  for (let at = 0; leaves.length < powerAbove(items.length); at++) {
    const filler = hmac(encodeUtf8(`dummy/${at}`))
    leaves.push({ item: undefined, hash: sha256(joinBytes([Uint8Array.of(2), filler])) })
  }
  const sorted = sortLeaves(leaves)
  const levels = levelsOf(sorted, sha256)
  const root = hash(hexOf(levels.at(-1)?.[0] as Uint8Array))
  return { root, prove: (pointer) => prove({ document, leaves: sorted, levels, hmac }, pointer) }
}

export declare namespace itemsRoot {
  type Input = {
    readonly salt: Salt
    readonly sha256: Sha256
    /** Describes what is unchanged since an earlier document that has items, so that it need not be read. */
    readonly unchanged?: readonly UnchangedRun[] | undefined
  }
}

/** Returns the root that an excerpt proves itself under, if that root is honest. */
export function rootOfExcerpt(
  { pointer, value, salt, index, path }: CommittedExcerpt,
  sha256: Sha256,
): Hash {
  const hashNode = nodeHash(sha256)
  const leaf = leafHash(sha256)(bytesOf(salt), encodeUtf8(pointer), encodeUtf8(value))
  const root = path.reduce((below, sibling, level) => {
    const isRight = (index >> level) % 2 === 1
    return isRight ? hashNode(bytesOf(sibling), below) : hashNode(below, bytesOf(sibling))
  }, leaf)
  return hash(hexOf(root))
}

/** Returns whether an excerpt is one of the items under a root. Anybody may have written it. */
export function isUnderRoot(excerpt: CommittedExcerpt, root: Hash, sha256: Sha256): boolean {
  const { salt, index, path } = excerpt
  // A salt of another length would let a liar read the same leaf in another way.
  const isWritten = path.length <= maxProofPath && [salt, ...path].every(isHex32)
  const isPlace = index % 1 === 0 && index >= 0 && index < 2 ** path.length
  return isWritten && isPlace && rootOfExcerpt(excerpt, sha256) === root
}

const isHex32 = (text: string) => /^0x[0-9a-f]{64}$/.test(text)

type Leaf = { readonly item: Item | undefined; readonly hash: Uint8Array }

const leavesOf = (items: readonly Item[], hashOf: (item: Item) => Uint8Array): Leaf[] =>
  items.map((item) => ({ item, hash: hashOf(item) }))

/** There are at most this many leaves. */
const mostLeaves = 2 ** maxProofPath

/**
 * Sorts leaves by the bytes of their hashes. To sort numbers takes half the time of comparing bytes
 * for thousands of leaves, and two hashes hardly ever begin with the same 40 bits.
 */
function sortLeaves(leaves: readonly Leaf[]): readonly Leaf[] {
  const keys = new Float64Array(leaves.length)
  for (const [at, { hash }] of leaves.entries()) keys[at] = firstBits(hash) * mostLeaves + at
  keys.sort()
  const isUnique = keys.every(
    (key, at) => at === 0 || hashPart(key) !== hashPart(keys[at - 1] ?? 0),
  )
  if (!isUnique) return leaves.toSorted((one, other) => compareBytes(one.hash, other.hash))
  return Array.from(keys, (key) => leaves[key % mostLeaves] as Leaf)
}

const hashPart = (key: number): number => key - (key % mostLeaves)

/** Returns the first 40 bits of a hash as a number, which is exact with the index of a leaf after it. */
function firstBits(hash: Uint8Array): number {
  let bits = 0
  for (let at = 0; at < 5; at++) bits = bits * 256 + (hash[at] as number)
  return bits
}

function powerAbove(count: number): number {
  let power = 1
  while (power < count) power *= 2
  return power
}

type LeafHash = (salt: Uint8Array, pointer: Uint8Array, value: Uint8Array) => Uint8Array

/** The positions of the parts of a leaf, in bytes. */
const leafAt = { salt: 1, pointerLength: 33, pointer: 37 } as const

/** Returns the hash of leaves, which are written into one buffer: a long document has thousands. */
function leafHash(sha256: Sha256): LeafHash {
  let leaf = new DataView(new ArrayBuffer(512))
  return (salt, pointer, value) => {
    const valueAt = leafAt.pointer + pointer.length + 8
    const length = valueAt + value.length
    if (length > leaf.byteLength) leaf = new DataView(new ArrayBuffer(2 * length))
    const bytes = new Uint8Array(leaf.buffer, 0, length)
    bytes.set(salt, leafAt.salt)
    leaf.setUint32(leafAt.pointerLength, pointer.length)
    bytes.set(pointer, leafAt.pointer)
    // No value comes near 2^32 bytes, the length of a text in JavaScript.
    leaf.setUint32(valueAt - 8, 0)
    leaf.setUint32(valueAt - 4, value.length)
    bytes.set(value, valueAt)
    return sha256(bytes)
  }
}

/** Returns the hash of nodes, which are written into one buffer. */
function nodeHash(sha256: Sha256): (left: Uint8Array, right: Uint8Array) => Uint8Array {
  const node = new Uint8Array(65)
  node[0] = 1
  return (left, right) => {
    node.set(left, 1)
    node.set(right, 33)
    return sha256(node)
  }
}

type Levels = readonly (readonly Uint8Array[])[]

/** Returns the hashes of each level: the leaves first, the root alone last. */
function levelsOf(leaves: readonly Leaf[], sha256: Sha256): Levels {
  const hashNode = nodeHash(sha256)
  const levels = [leaves.map((leaf) => leaf.hash)]
  for (let level = levels[0] as Uint8Array[]; level.length > 1; levels.push(level)) {
    const below = level
    level = Array.from({ length: below.length / 2 }, (_, at) =>
      hashNode(below[2 * at] as Uint8Array, below[2 * at + 1] as Uint8Array),
    )
  }
  return levels
}

type Tree = {
  readonly document: Uint8Array
  readonly leaves: readonly Leaf[]
  readonly levels: Levels
  readonly hmac: (message: Uint8Array) => Uint8Array
}

function prove(
  { document, leaves, levels, hmac }: Tree,
  pointer: string,
): CommittedExcerpt | undefined {
  const index = leaves.findIndex(({ item }) => item?.pointer === pointer)
  const item = leaves[index]?.item
  if (item === undefined) return undefined
  const path = levels
    .slice(0, -1)
    .map((level, height) => hexOf(level[(index >> height) ^ 1] as Uint8Array))
  const value = decodeUtf8(document.subarray(item.start, item.end))
  return { pointer, value, salt: hexOf(hmac(encodeUtf8(pointer))), index, path }
}

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  for (let at = 0; at < one.length; at++) {
    const difference = (one[at] as number) - (other[at] as number)
    if (difference !== 0) return difference
  }
  return 0
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexOf(bytes: Uint8Array): Hex {
  return `0x${Array.from(bytes, (byte) => hexDigits[byte]).join('')}`
}

function bytesOf(hex: Hex): Uint8Array {
  const length = (hex.length - 2) / 2
  return Uint8Array.from({ length }, (_, at) =>
    Number.parseInt(hex.slice(2 + 2 * at, 4 + 2 * at), 16),
  )
}
