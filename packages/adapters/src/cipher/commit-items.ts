import {
  areShowable,
  type CommittedExcerpt,
  chooseExcerpts,
  type Hash,
  hash,
  itemsRoot,
  salt as readSalt,
  type Salt,
  type UnchangedRun,
} from '@heirloom/core'
import { releaseBuffer, releaseWholeBuffer } from '../platform/release-buffer.ts'
import { type CryptoWorker, cryptoWorker, inlineLimit } from './crypto-worker.ts'
import type { Bound } from './envelope.ts'
import { readExcerpts, writeExcerpts } from './excerpt-bytes.ts'
import type { Drawn } from './header-of.ts'
import type { Unsealed } from './seal.ts'
import { sha256 } from './sha256.ts'

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

/**
 * Returns what the header of a document shows, and the document: a worker commits to a long one, and
 * one that was handed over has a new buffer afterwards.
 *
 * @throws `excerpt/not-in-memory`, `card/malformed`
 */
export async function commitItems(
  { document, options }: Pick<Unsealed, 'document' | 'options'>,
  { salt: saltBytes }: Pick<Drawn, 'salt'>,
): Promise<{ readonly shown: Shown; readonly document: Uint8Array }> {
  const { excerpts: pointers = [] } = options
  const salt = saltOf(saltBytes)
  if (document.length <= inlineLimit) {
    return { shown: sectionsOf(commitTo({ document, salt, pointers })), document }
  }
  const lent = movable({ document, options })
  const job = { kind: 'commit', document: lent, salt, pointers } as const
  const answer = await cryptoWorker.ask(job, { moved: [lent.buffer] })
  const { commitment, document: returned } = answer as CryptoWorker.Committed
  const shown = sectionsOf(commitment)
  if (lent === document) return { shown, document: returned }
  releaseBuffer(returned)
  return { shown, document }
}

/** Returns a salt as text. */
export const saltOf = (bytes: Uint8Array): Salt =>
  readSalt(`0x${Buffer.from(bytes).toString('hex')}`)

/** Returns a document that was handed over, or a copy that may be moved to a worker. */
export function movable({
  document,
  options: { isHandedOver = false },
}: Pick<Unsealed, 'document' | 'options'>): Uint8Array<ArrayBuffer> {
  return isHandedOver && isMovable(document) ? document : new Uint8Array(document)
}

/** Releases a document that was handed over, with all that shares its buffer. */
export function releaseHandedOver({
  document,
  options,
}: Pick<Unsealed, 'document' | 'options'>): void {
  if (options.isHandedOver === true) releaseWholeBuffer(document)
}

const isMovable = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer

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
