import type { RecordedToken } from '@heirloom/adapters/internal/migration'
import { readSealedLine } from '@heirloom/adapters/internal/sealed-line'
import {
  type Account,
  type Card,
  type Digest,
  encodeCard,
  Failure,
  type Hash,
  readSealed,
  type Salt,
  type SealedSaver,
} from '@heirloom/core'
import { packsOf } from '../../../server/packs/packs-of.ts'
import type { OpenSide } from './side.ts'

/** A memory that was opened. */
type OpenMemory = {
  readonly document: Uint8Array
  readonly salt: Salt
  /** The pointers of the excerpts that it shows. */
  readonly excerpts: readonly string[]
  /** The name of its line, which is sealed into it; absent for a memory of no line. */
  readonly line: string | undefined
  /** The one who saved it; absent where nobody is named. */
  readonly savedBy: SealedSaver | undefined
}

/**
 * Opens the memory of a snapshot, in the context of the registry that records it.
 *
 * @throws `access/copied`, `bundle/unreadable`, `bundle/altered`, and the failures of a blob store
 */
export async function openMemory(
  {
    blobStore,
    cipher,
    keys,
    registry,
  }: Pick<OpenSide, 'blobStore' | 'cipher' | 'keys' | 'registry'>,
  token: Pick<RecordedToken, 'creator' | 'digest' | 'contentHash'>,
): Promise<OpenMemory> {
  const { creator, digest, contentHash: expected } = token
  const context = { registry, creator }
  const sealed = await readSealed({ blobStore, cipher }, { digest, context })
  const { document, salt, contentHash: actual } = await cipher.open(sealed, context, blobStore)
  if (actual !== expected) throw new Failure('bundle/altered', { expected, actual })
  const { excerpts = [] } = cipher.inspect(sealed)
  const { name: line, savedBy } = readSealedLine({ keys }, sealed)
  return { document, salt, excerpts: excerpts.map(({ pointer }) => pointer), line, savedBy }
}

/** The stored blobs of a memory on the new side. */
export type Resealed = { readonly digest: Digest; readonly card: Digest | undefined }

export declare namespace resealMemory {
  type Input = {
    readonly from: OpenSide
    readonly to: OpenSide
    readonly token: Pick<RecordedToken, 'creator' | 'digest' | 'contentHash'>
    readonly card: Card | undefined
    /** The bundle of its parent in the new registry, whose parts the next version of a line shares. */
    readonly previous: Digest | undefined
  }
}

/**
 * Seals the memory of a snapshot for the same creator in the new registry, under the same salt, so
 * that its content hash and the root of its items stay; stores it there with its card and its
 * excerpts, as the next version of its line, saved by the same. The blobs are claimed at once: a token may refer to them
 * from now on.
 *
 * @throws the failures of `openMemory` and of a blob store
 */
export async function resealMemory({
  from,
  to,
  token,
  card,
  previous,
}: resealMemory.Input): Promise<Resealed> {
  const { document, salt, excerpts, line, savedBy } = await openMemory(from, token)
  const context = { registry: to.registry, creator: token.creator as Account }
  const { sealed, headLength, contentHash } = await to.cipher.seal(document, context, {
    blobs: to.blobStore,
    salt,
    excerpts,
    savedBy,
    ...(line !== undefined && { line: { name: line, previous } }),
  })
  requireSame(token.contentHash, contentHash)
  const digest = await to.blobStore.put(sealed, headLength)
  await to.blobStore.claim(digest)
  for (const pack of packsOf(sealed)) await to.blobStore.claim(pack)
  if (card === undefined) return { digest, card: undefined }
  const cardDigest = await to.blobStore.put(encodeCard({ card, contentHash }))
  await to.blobStore.claim(cardDigest)
  return { digest, card: cardDigest }
}

function requireSame(expected: Hash, actual: Hash): void {
  if (expected !== actual) throw new Failure('bundle/altered', { expected, actual })
}

/**
 * Removes the memory that a step stored, but for the packs that it shares with the version before it.
 *
 * @throws `blob/unavailable`
 */
export async function removeVersion(
  { head, remove }: Pick<OpenSide['blobStore'], 'head' | 'remove'>,
  root: Digest,
  previous: Digest | undefined,
): Promise<void> {
  const packs: readonly Digest[] = await head(root).then(packsOf, () => [])
  // Without the version before it, nobody knows which are its own; then all of them stay.
  const shared = previous && (await head(previous).then(packsOf, () => packs))
  await remove(root)
  for (const pack of packs) if (!shared?.includes(pack)) await remove(pack)
}
