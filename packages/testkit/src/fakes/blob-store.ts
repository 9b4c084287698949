import { createHash } from 'node:crypto'
import { type BlobStore, type Digest, digest, Failure, viewOf } from '@heirloom/core'

/** Creates a blob store in memory. */
export function memoryBlobStore(): BlobStore {
  const blobs = new Map<Digest, Uint8Array>()
  const heads = new Map<Digest, number>()
  const requireBlob = (name: Digest) => {
    const bytes = blobs.get(name)
    if (bytes === undefined) throw new Failure('blob/not-found', { digest: name })
    return bytes
  }
  return {
    put: async (bytes, headLength = bytes.length) => {
      const name = digest(`0x${createHash('sha256').update(bytes).digest('hex')}`)
      blobs.set(name, bytes.slice())
      heads.set(name, Math.max(headLength, heads.get(name) ?? 0))
      return name
    },
    get: async (name, range) => viewOf({ digest: name, bytes: requireBlob(name) }, range).slice(),
    head: async (name) => requireBlob(name).slice(0, heads.get(name)),
    remove: async (name) => {
      blobs.delete(name)
    },
  }
}
