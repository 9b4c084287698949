import { readHeader } from '@heirloom/adapters/cipher'
import { type Digest, digest, isFailure, type LocalReads } from '@heirloom/core'

/** Returns the packs that the head of a sealed bundle names, unauthenticated; none for other bytes. */
export function packsOf(head: Uint8Array): readonly Digest[] {
  try {
    const { packs = [] } = readHeader(head)
    return packs.map((bytes) => digest(`0x${Buffer.from(bytes).toString('hex')}`))
  } catch (error) {
    if (isFailure(error, 'bundle/unreadable')) return []
    throw error
  }
}

/** Reads of stored blobs; a blob is read as a whole where it can be neither begun nor measured. */
export type StoredReads = Pick<LocalReads, 'get'> & Partial<LocalReads>

/**
 * Reads every stored byte of a version, with its packs but for those of `known`, and returns how many
 * there are. Adds the packs that it read to `known`.
 *
 * @throws `blob/not-found`, `blob/corrupt`, `blob/unavailable`
 */
export async function readVersion(
  stored: StoredReads,
  root: Digest,
  known = new Set<Digest>(),
): Promise<number> {
  const read = readerOf(stored)
  const { head, length } = await read(root)
  let bytes = length
  for (const pack of packsOf(head)) {
    if (known.has(pack)) continue
    bytes += (await read(pack)).length
    known.add(pack)
  }
  return bytes
}

/** Returns a reader of all bytes of a blob, which returns its head and their number. */
function readerOf({ get, head, measure }: StoredReads) {
  if (head === undefined || measure === undefined) {
    return async (digest: Digest) => {
      const bytes = await get(digest)
      return { head: bytes, length: bytes.length }
    }
  }
  return async (digest: Digest) => ({ head: await head(digest), length: await measure(digest) })
}
