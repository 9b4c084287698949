import { createHash } from 'node:crypto'
import { type BlobStore, type Digest, digest, Failure } from '@heirloom/core'

/** Returns a store that keeps sealed bundles in memory. */
export function memoryBlobStore(): BlobStore {
  const blobs = new Map<Digest, Uint8Array>()
  return {
    put: async (bytes) => {
      const name = digest(`0x${createHash('sha256').update(bytes).digest('hex')}`)
      blobs.set(name, bytes.slice())
      return name
    },
    get: async (name) => {
      const bytes = blobs.get(name)
      if (bytes === undefined) throw new Failure('blob/not-found', { digest: name })
      return bytes.slice()
    },
    remove: async (name) => {
      blobs.delete(name)
    },
  }
}
