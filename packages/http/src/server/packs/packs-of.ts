import { readHeader } from '@heirloom/adapters/cipher'
import { type BlobStore, type Digest, digest, isFailure } from '@heirloom/core'

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

/**
 * Reads every stored byte of a version, with its packs but for those of `known`, and returns how many
 * there are. Adds the packs that it read to `known`.
 *
 * @throws `blob/not-found`, `blob/corrupt`, `blob/unavailable`
 */
export async function readVersion(
  get: BlobStore['get'],
  root: Digest,
  known = new Set<Digest>(),
): Promise<number> {
  const sealed = await get(root)
  let bytes = sealed.length
  for (const pack of packsOf(sealed)) {
    if (known.has(pack)) continue
    bytes += (await get(pack)).length
    known.add(pack)
  }
  return bytes
}
