import { releaseBuffer, releaseWholeBuffer } from '../platform/release-buffer.ts'
import type { Unsealed } from './cipher-parts.ts'
import { commitTo, type Shown, saltOf, sectionsOf } from './commitment.ts'
import type { CryptoWorker } from './crypto-jobs.ts'
import { cryptoWorker, inlineLimit } from './crypto-worker.ts'
import type { Drawn } from './header-of.ts'

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
