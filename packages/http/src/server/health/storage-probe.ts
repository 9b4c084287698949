import { randomBytes } from 'node:crypto'
import type { BlobStore } from '@heirloom/core'

/**
 * Returns a check that writes, reads and removes a probe. It is the same at each call, so that a
 * store that cannot remove it keeps one at most.
 */
export function storageProbe(blobStore: BlobStore): () => Promise<void> {
  // Random, for servers that share a storage must not remove each other's probe.
  const probe = randomBytes(32)
  return async () => {
    const digest = await blobStore.put(probe)
    try {
      await blobStore.get(digest)
    } finally {
      await blobStore.remove(digest)
    }
  }
}
