import {
  areShowable,
  type CommittedExcerpt,
  chooseExcerpts,
  excerptLimits,
  type Hash,
  type Hex,
  hash,
  itemsRoot,
  maxProofPath,
  salt as readSalt,
  type Salt,
  type UnchangedRun,
} from '@heirloom/core'
import type { Bound } from './envelope.ts'
import { sha256 } from './hashes.ts'

/** The root of the items of a document, and the excerpts to show under it. */
export type Commitment = {
  readonly root: Hash
  readonly excerpts: readonly CommittedExcerpt[]
}

/** A document, the salt of its content hash, and the pointers of the excerpts to show. */
export type CommitInput = {
  readonly document: Uint8Array
  readonly salt: Salt
  readonly pointers: readonly string[]
  /** Describes what is unchanged since an earlier document that has items. */
  readonly unchanged?: readonly UnchangedRun[]
}

/**
 * Commits to the items of a document; `undefined` when it has none, as a text that is no JSON object.
 *
 * @throws `excerpt/not-in-memory`, `card/malformed`
 */
export function commitTo({
  document,
  salt,
  pointers,
  unchanged,
}: CommitInput): Commitment | undefined {
  const items = itemsRoot(document, { salt, sha256, unchanged })
  const excerpts = chooseExcerpts(items, pointers)
  return items && { root: items.root, excerpts }
}

/** The public part of the items of a document: the root over them, and the chosen excerpts. */
export type Shown = Pick<Bound, 'items' | 'excerpts'>

/** Returns a salt as text. */
export const saltOf = (bytes: Uint8Array): Salt =>
  readSalt(`0x${Buffer.from(bytes).toString('hex')}`)

/** Returns the public sections of a commitment, as they are in the header. */
export function sectionsOf(commitment: Commitment | undefined): Shown {
  if (commitment === undefined) return {}
  const { root, excerpts } = commitment
  const items = Buffer.from(root.slice(2), 'hex')
  return excerpts.length === 0 ? { items } : { items, excerpts: writeExcerpts(excerpts) }
}

/**
 * Reads the commitment of a header. Without the key anybody may have written it, so excerpts that do
 * not lead to the root, or must not be shown, are left out, all of them.
 */
export function readCommitment({ items, excerpts }: Shown): {
  itemsRoot?: Hash
  excerpts?: Commitment['excerpts']
} {
  if (items === undefined) return {}
  const root = hash(`0x${Buffer.from(items).toString('hex')}`)
  const found = excerpts && readExcerpts(excerpts)
  if (found === undefined || !areShowable(found, root, sha256)) return { itemsRoot: root }
  return { itemsRoot: root, excerpts: found }
}

const hashLength = 32

/**
 * Encodes excerpts as the value of their section. Each is: the length of its pointer (2 bytes) and
 * the pointer, the length of its value (2) and the value, the salt of its leaf (32), its place among
 * the leaves (2), the number of hashes of its path (1), and these hashes (32 each). Texts are UTF-8,
 * integers big-endian.
 */
export function writeExcerpts(excerpts: readonly CommittedExcerpt[]): Uint8Array {
  return Buffer.concat(
    excerpts.flatMap(({ pointer, value, salt, index, path }) => [
      ...[...textParts(pointer), ...textParts(value), bytesOf(salt)],
      ...[integer(index), Buffer.of(path.length), ...path.map(bytesOf)],
    ]),
  )
}

/** Decodes the excerpts of a section; `undefined` when it is not encoded so, or holds too many. */
export function readExcerpts(value: Uint8Array): readonly CommittedExcerpt[] | undefined {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  const excerpts: CommittedExcerpt[] = []
  try {
    for (let at = 0; at < bytes.length; ) {
      if (excerpts.length === excerptLimits.count) return undefined
      const { excerpt, end } = excerptAt(bytes, at)
      excerpts.push(excerpt)
      at = end
    }
    return excerpts
  } catch {
    // Cut short, or not UTF-8.
    return undefined
  }
}

function excerptAt(bytes: Buffer, start: number) {
  const pointer = textAt(bytes, start)
  const value = textAt(bytes, pointer.end)
  const salt = hexAt(bytes, value.end)
  const index = bytes.readUInt16BE(value.end + hashLength)
  const first = value.end + hashLength + 3
  const count = bytes.readUInt8(first - 1)
  if (count > maxProofPath) throw new RangeError('The path is too long.')
  const path = Array.from({ length: count }, (_, at) => hexAt(bytes, first + at * hashLength))
  const excerpt = { pointer: pointer.text, value: value.text, salt, index, path }
  return { excerpt, end: first + count * hashLength }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textAt(bytes: Buffer, start: number) {
  const end = start + 2 + bytes.readUInt16BE(start)
  return { text: utf8.decode(slice(bytes, start + 2, end)), end }
}

const hexAt = (bytes: Buffer, start: number): Hex =>
  `0x${slice(bytes, start, start + hashLength).toString('hex')}`

function slice(bytes: Buffer, start: number, end: number): Buffer {
  if (end > bytes.length) throw new RangeError('The section is cut short.')
  return bytes.subarray(start, end)
}

function textParts(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text)
  return [integer(bytes.length), bytes]
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

const bytesOf = (hex: Hex) => Buffer.from(hex.slice(2), 'hex')
